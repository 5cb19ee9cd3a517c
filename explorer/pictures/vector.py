"""Display lists as text: SVG, and TikZ for LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.common.characters import COMMANDS, SYMBOLS, markup, shaped
from engine.explain.subjects import id_text
from explorer.pictures.drawing import Box, Drawing, Shape, Stroke, Text
from explorer.pictures.theme import STYLES, Theme

DASH_LENGTHS: dict[str, Sequence[float]] = {"solid": (), "dash": (4.0, 3.0), "dot": (1.0, 2.5)}
"""Lengths of dashes and of the spaces between them, in units of the line's weight."""
_FAMILIES = "'DejaVu Sans', Verdana, sans-serif"
_ANCHORS = {"start": "start", "middle": "middle", "end": "end"}


def coordinate(value: float) -> str:
    """Return a coordinate: three decimals at most, no trailing zeros."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def svg_text(drawing: Drawing, theme: Theme, scale: float = 1.0, family: str = "", background: bool = True) -> str:
    """Return the drawing as an SVG document with title, description and view box; text stays text.

    Parameters
    ----------
    drawing, theme
        What, and in which colours.
    scale
        Size of the picture; the coordinates inside stay those of the screen.
    family
        The typeface that the widths were measured with.
    background
        Whether to paint the theme's background.
    """
    bounds = drawing.bounds
    box = " ".join(coordinate(value) for value in bounds)
    families = f"'{family}', {_FAMILIES}" if family else _FAMILIES
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{coordinate(bounds.width * scale)}" '
        f'height="{coordinate(bounds.height * scale)}" viewBox="{box}" role="img" font-family="{markup(families)}">',
        f"<title>{markup(drawing.title, quote=False)}</title>",
        f"<desc>{markup(drawing.text_twin, quote=False)}</desc>",
    ]
    if background:
        place = _attributes(x=bounds.x, y=bounds.y, width=bounds.width, height=bounds.height)
        lines.append(f'<rect {place} fill="{theme.colour("background")}"/>')
    for shape in drawing.shapes:
        line = _svg_shape(shape, theme)
        if line:
            lines.append(line)
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def _attributes(**values: float) -> str:
    """Coordinates as attributes of an element: ``x="0" y="12.5"``."""
    return " ".join(f'{name}="{coordinate(value)}"' for name, value in values.items())


def _svg_shape(shape: Shape, theme: Theme) -> str:
    name = f' data-id="{markup(id_text(shape.id))}"' if shape.id is not None else ""
    if isinstance(shape, Text):
        size, bold = STYLES[shape.style]
        weight = ' font-weight="bold"' if bold else ""
        if shape.turned:
            weight += f' transform="rotate(-90 {coordinate(shape.x)} {coordinate(shape.y)})"'
        return (
            f'<text x="{coordinate(shape.x)}" y="{coordinate(shape.y)}" font-size="{coordinate(size)}"{weight} '
            f'text-anchor="{_ANCHORS[shape.anchor]}" fill="{theme.colour(shape.role)}" xml:space="preserve"{name}>'
            f"{markup(shape.text, quote=False)}</text>"
        )
    if isinstance(shape, Stroke):
        ends = _attributes(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)
        return f"<line {ends}{_svg_stroke(shape.role, shape.weight, shape.dash, theme)}{name}/>"
    if isinstance(shape, Box):
        if not shape.fill and not shape.role:
            return ""
        place = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height)
        rounded = f' rx="{coordinate(shape.radius)}"' if shape.radius else ""
        fill = theme.colour(shape.fill) if shape.fill else "none"
        return f'<rect {place}{rounded} fill="{fill}"{_svg_stroke(shape.role, shape.weight, shape.dash, theme)}{name}/>'
    steps = [f"M{coordinate(shape.start[0])} {coordinate(shape.start[1])}"]
    for segment in shape.segments:
        steps.append(("L" if len(segment) == 2 else "C") + " ".join(coordinate(value) for value in segment))
    fill = theme.colour(shape.fill) if shape.fill else "none"
    closed = "Z" if shape.fill else ""
    stroke = _svg_stroke(shape.role, shape.weight, shape.dash, theme)
    return f'<path d="{"".join(steps)}{closed}" fill="{fill}"{stroke} stroke-linejoin="round"{name}/>'


def _svg_stroke(role: str, weight: float, dash: str, theme: Theme) -> str:
    if not role:
        return ""
    dashes = ""
    if DASH_LENGTHS[dash]:
        dashes = f' stroke-dasharray="{" ".join(coordinate(length * weight) for length in DASH_LENGTHS[dash])}"'
    return f' stroke="{theme.colour(role)}" stroke-width="{coordinate(weight)}"{dashes}'


_TEX = {**COMMANDS, **SYMBOLS}
_SUPERSCRIPTS = {letter: digit for letter, digit in zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True)}


def tex_escape(text: str) -> str:
    r"""Text as LaTeX sets it: ``PRP\$``, ``\%``, F̂, powers of ten."""
    pieces: list[str] = []
    power = ""
    for letter in [*text, ""]:
        if letter and letter in _SUPERSCRIPTS:
            power += _SUPERSCRIPTS[letter]
            continue
        if power:
            pieces.append(f"$^{{{power}}}$")
            power = ""
        if letter == "\u0302":
            pieces[-1:] = [f"$\\hat{{{pieces[-1]}}}$"] if pieces else []
        elif letter:
            pieces.append(_TEX.get(letter, shaped(letter)))
    return "".join(pieces)


def tikz_text(drawing: Drawing, theme: Theme) -> str:
    """Return the drawing as a ``tikzpicture``: one unit is a pixel of the screen, y downwards as there.

    Needs the package ``tikz``; colours are defined at the beginning.
    """
    used = sorted({role for shape in drawing.shapes for role in _roles(shape)})
    names = {role: f"pe{place}" for place, role in enumerate(used)}
    lines = [f"% {drawing.title}; needs \\usepackage{{tikz}}, and a document in UTF-8"]
    for role in used:
        lines.append(f"\\definecolor{{{names[role]}}}{{HTML}}{{{theme.colour(role)[1:].upper()}}}% {role}")
    lines.append("\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,inner sep=0pt,outer sep=0pt]")
    lines += [line for shape in drawing.shapes if (line := _tikz_shape(shape, names))]
    lines.append("\\end{tikzpicture}")
    return "\n".join(lines) + "\n"


def _roles(shape: Shape) -> Iterable[str]:
    roles = [shape.role, getattr(shape, "fill", "")]
    return (role for role in roles if role)


def _tikz_shape(shape: Shape, names: dict[str, str]) -> str:
    if isinstance(shape, Text):
        size, bold = STYLES[shape.style]
        points = size * 0.75
        anchor = {"start": "base west", "middle": "base", "end": "base east"}[shape.anchor]
        anchor += ",rotate=90" if shape.turned else ""
        font = f"\\fontsize{{{coordinate(points)}bp}}{{{coordinate(points * 1.2)}bp}}\\selectfont\\sffamily"
        text = tex_escape(shape.text)
        return (
            f"\\node[anchor={anchor},text={names[shape.role]},font={{{font}{chr(92) + 'bfseries' if bold else ''}}}] "
            f"at {_at(shape.x, shape.y)} {{{text}}};"
        )
    if isinstance(shape, Stroke):
        options = _tikz_options(shape.role, "", shape.weight, shape.dash, names)
        return f"\\path[{options}] {_at(shape.x1, shape.y1)} -- {_at(shape.x2, shape.y2)};"
    options = _tikz_options(shape.role, shape.fill, shape.weight, shape.dash, names)
    if not options:
        return ""
    if isinstance(shape, Box):
        rounded = f",rounded corners={coordinate(shape.radius * 0.75)}bp" if shape.radius else ""
        corner = _at(shape.x + shape.width, shape.y + shape.height)
        return f"\\path[{options}{rounded}] {_at(shape.x, shape.y)} rectangle {corner};"
    steps = [_at(*shape.start)]
    for segment in shape.segments:
        if len(segment) == 2:
            steps.append(f"-- {_at(*segment)}")
        else:
            x1, y1, x2, y2, x, y = segment
            steps.append(f".. controls {_at(x1, y1)} and {_at(x2, y2)} .. {_at(x, y)}")
    closed = " -- cycle" if shape.fill else ""
    return f"\\path[{options}] {' '.join(steps)}{closed};"


def _at(x: float, y: float) -> str:
    return f"({coordinate(x)},{coordinate(y)})"


def _tikz_options(role: str, fill: str, weight: float, dash: str, names: dict[str, str]) -> str:
    options = []
    if role:
        options.append(f"draw={names[role]},line width={coordinate(weight * 0.75)}bp")
        if DASH_LENGTHS[dash]:
            on, off = (coordinate(length * weight * 0.75) for length in DASH_LENGTHS[dash])
            options.append(f"dash pattern=on {on}bp off {off}bp")
    if fill:
        options.append(f"fill={names[fill]}")
    return ",".join(options)
