"""Measures of text by a fixed table, so that layouts can be tested without Qt."""

from __future__ import annotations

from explorer.pictures.theme import STYLES

# Advance widths of DejaVu Sans from space to tilde, in thousandths of the size.
_REGULAR = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656,
    557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613,
    635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818,
    592, 592, 525, 636, 337, 636, 838,
)  # fmt: skip
_BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696,
    696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775,
    637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675,
    716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924,
    645, 652, 582, 712, 365, 712, 838,
)  # fmt: skip
_OTHER = 700
"""What any other letter is taken to advance."""


class TableMetrics:
    """Measures of DejaVu Sans without Qt: a :class:`explorer.pictures.drawing.Metrics`."""

    def width(self, text: str, style: str) -> float:
        """How far the text advances."""
        size, bold = STYLES[style]
        table = _BOLD if bold else _REGULAR
        return size / 1000 * sum(table[ord(letter) - 32] if " " <= letter <= "~" else _OTHER for letter in text)

    def ascent(self, style: str) -> float:
        """How far letters reach above the base line."""
        return 0.928 * STYLES[style].size

    def descent(self, style: str) -> float:
        """How far letters reach below the base line."""
        return 0.236 * STYLES[style].size
