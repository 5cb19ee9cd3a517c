"""The report on a treebank as one HTML page: tables, and for the worst sentences both trees as pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from engine.common.characters import SECURITY_POLICY, markup
from engine.common.numbers import number
from engine.explain.verdicts import error_description
from engine.study.comparison import Span, counted, narrow, narrowing
from engine.study.errors import ErrorClass, ParseError
from engine.study.parseval import EQUAL_LABELS
from engine.study.treebank_report import FactorLoss, Judgement, Report
from engine.study.verdicts import VerdictKind
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean

# A tree as SVG text, wrong brackets marked by shape and sign as well as by colour.
#
# Classes and not colours are written, so that the page around a picture says what they look like, by day and by night.

LETTER = 7.4
"""Width of a letter, which nobody can measure without a font: a little too wide rather than too narrow."""
LEVEL = 34.0
MARGIN = 8.0
BOX_GAP = 10.0
BRACKET_SIGNS = {"extra": "×", "missing": "+"}
"""Before the label of a wrong bracket: one that has to go, and one that has to come."""


@dataclass(slots=True)
class _Box:
    """A node with its place."""

    tree: Tree
    mark: str = ""
    children: list[_Box] = field(default_factory=list)
    height: int = 0
    width: float = 0.0
    middle: float = 0.0

    @property
    def text(self) -> str:
        return f"{BRACKET_SIGNS[self.mark]} {self.tree.label}" if self.mark else self.tree.label


def svg_of_tree(tree: Tree, wrong: Iterable[Span], mark: str, places: Sequence[int], title: str) -> str:
    """Return a picture of a clean tree.

    Parameters
    ----------
    tree
        The tree.
    wrong, mark
        Brackets to mark, and as what: ``extra`` or ``missing``.
    places
        Which tokens count (:func:`engine.study.comparison.narrowing`).
    title
        What the picture shows, for those who do not see it.
    """
    marked = Counter(map(counted, wrong))
    position = 0

    def build(node: Tree) -> _Box:
        nonlocal position
        if node.word is not None:
            position += 1
            longest = max(len(node.word), len(node.label))
            return _Box(node, width=longest * LETTER + BOX_GAP)
        start = position
        box = _Box(node, children=[build(child) for child in node.children])
        box.height = 1 + max(child.height for child in box.children)
        span = narrow(places, start, position)
        if span is not None:
            key = (EQUAL_LABELS.get(node.label, node.label), *span)
            if marked[key] > 0:
                marked[key] -= 1
                box.mark = mark
        own = len(box.text) * LETTER + 2 * BOX_GAP
        box.width = max(own, sum(child.width for child in box.children))
        return box

    root = build(tree)
    _place(root, MARGIN)
    lines: list[str] = []
    texts: list[str] = []
    bottom = root.height * LEVEL + LEVEL * 0.6
    _draw(root, bottom, lines, texts)
    width, height = root.width + 2 * MARGIN, bottom + LEVEL
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" aria-label="{markup(title)}" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">'
        f"<title>{markup(title)}</title>{''.join(lines)}{''.join(texts)}</svg>"
    )


def _place(box: _Box, left: float) -> None:
    """Put a node over the middle of its first and last child."""
    if not box.children:
        box.middle = left + box.width / 2
        return
    at = left + (box.width - sum(child.width for child in box.children)) / 2
    for child in box.children:
        _place(child, at)
        at += child.width
    box.middle = (box.children[0].middle + box.children[-1].middle) / 2


def _draw(box: _Box, bottom: float, lines: list[str], texts: list[str]) -> None:
    y = bottom - box.height * LEVEL
    if box.tree.word is not None:
        texts.append(f'<text class="tag" x="{box.middle:.1f}" y="{y:.1f}">{markup(box.tree.label)}</text>')
        texts.append(f'<text class="word" x="{box.middle:.1f}" y="{y + 19:.1f}">{markup(box.tree.word)}</text>')
        return
    # Lines with right angles never cross, however far down a word hangs.
    bar = y + LEVEL * 0.28
    path = [f"M{box.middle:.1f} {y + 5:.1f}V{bar:.1f}"]
    if len(box.children) > 1:
        path.append(f"M{box.children[0].middle:.1f} {bar:.1f}H{box.children[-1].middle:.1f}")
    for child in box.children:
        path.append(f"M{child.middle:.1f} {bar:.1f}V{bottom - child.height * LEVEL - 13:.1f}")
        _draw(child, bottom, lines, texts)
    lines.append(f'<path d="{"".join(path)}"/>')
    if box.mark:
        half = len(box.text) * LETTER / 2 + 5
        texts.append(
            f'<rect class="{box.mark}" x="{box.middle - half:.1f}" y="{y - 14:.1f}" '
            f'width="{2 * half:.1f}" height="19" rx="4"/>'
        )
    name = box.mark or "label"
    texts.append(f'<text class="{name}" x="{box.middle:.1f}" y="{y:.1f}">{markup(box.text)}</text>')


# The report on a treebank as one HTML page: tables, and for the worst sentences both trees as pictures.
#
# The page needs no other file, no script and no network; it follows the reader's choice of light or dark.

MOST_LINKS = 40
"""Sentences that one cell of a table names."""

_STYLE = """
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #22252a; --faint: #5f646c; --rule: #d8d5cf;
  --shade: #f2efe9; --extra: #b3261e; --missing: #00629b; --link: #005a8c; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #e4e2dd; --faint: #9a9ea6; --rule: #3a3d44;
  --shade: #1f2228; --extra: #ff8a80; --missing: #7cc4ff; --link: #8ecbff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.5rem 6rem; max-width: 110rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0; font-weight: 600; max-width: 62rem; }
p { margin: .4rem 0; max-width: 62rem; }
a { color: var(--link); }
.faint { color: var(--faint); }
.beside { display: flex; flex-wrap: wrap; gap: 0 4rem; align-items: flex-start; }
.beside > div { max-width: 100%; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); padding-bottom: .3rem; }
th, td { padding: .25rem .8rem; border-bottom: 1px solid var(--rule); text-align: right; vertical-align: top; }
th { vertical-align: bottom; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
th:first-child, td:first-child { padding-left: 0; white-space: nowrap; }
thead th { font-weight: 600; border-bottom: 2px solid var(--ink); }
details summary { cursor: pointer; }
td summary { text-align: right; white-space: nowrap; }
td details { text-align: left; max-width: 16rem; }
section.sentence { border-top: 1px solid var(--rule); padding: 1.2rem 0; scroll-margin-top: .5rem; }
section.sentence:target { border-top: 2px solid var(--link); }
.kind { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem;
  margin-right: .3rem; font-size: .85rem; }
.pictures { display: flex; flex-wrap: wrap; gap: .8rem 3rem; margin-top: .6rem; background: var(--shade);
  border-radius: .4rem; padding: .5rem .6rem; overflow-x: auto; }
figure { margin: 0; flex: none; width: max-content; }
figcaption { color: var(--faint); font-size: .85rem; position: sticky; left: 0; width: max-content; }
svg.tree { display: block; }
ul { margin: .4rem 0; padding-left: 1.2rem; max-width: 62rem; }
svg.tree text { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; text-anchor: middle; fill: var(--ink); }
svg.tree text.word { font-weight: 600; }
svg.tree text.tag { fill: var(--faint); font-size: 11px; }
svg.tree path { fill: none; stroke: var(--faint); stroke-opacity: .7; }
svg.tree rect { fill: var(--paper); stroke-width: 1.8; }
svg.tree rect.extra { stroke: var(--extra); }
svg.tree rect.missing { stroke: var(--missing); stroke-dasharray: 4 2.5; }
svg.tree text.extra { fill: var(--extra); font-weight: 700; }
svg.tree text.missing { fill: var(--missing); font-weight: 700; }
@media (max-width: 50rem) { body { padding: 1.2rem .8rem 4rem; } th, td { padding: .25rem .5rem; } }
@media print { body { max-width: none; padding: 0; } .pictures { display: block; overflow: visible; }
  figure { width: auto; break-inside: avoid; } svg.tree { max-width: 100%; height: auto; } }
"""


_LEGEND = (
    f'<p class="faint">In the parse {BRACKET_SIGNS["extra"]} in a solid frame marks a bracket that gold has not; in '
    f"the gold tree {BRACKET_SIGNS['missing']} in a dashed frame marks one that the parse lacks.</p>"
)


def page(report: Report, title: str, pictures: int) -> str:
    """Return the whole page.

    Parameters
    ----------
    report
        What was found.
    title
        What was judged under what: treebank, model, settings, tags.
    pictures
        How many wrong sentences to draw, those with the most wrong brackets first.
    """
    wrong = [judged for judged in report.judgements if judged.kind is not VerdictKind.RIGHT]
    drawn = sorted(wrong, key=lambda one: (-(one.gold + one.proposed - 2 * one.matched), one.number))[:pictures]
    shown = {judged.number for judged in drawn}
    body = [
        f"<h1>Why are these parses wrong?</h1><p>{markup(title)}</p><p>{len(report.judgements):,} sentences, "
        f"F1 {number(report.f1, 2)}.</p>",
        _beside(_verdicts(report, shown), _causes(report, shown)),
        _matrix(report, shown),
        _beside(
            _worst(report, "Factors by which the gold trees lose most, in model errors", lambda loss: loss.name, shown),
            _worst(report, "The same by their finest level of back-off", lambda loss: loss.level, shown),
        ),
        f"<h2>The {len(drawn)} sentences with the most wrong brackets</h2>" if drawn else "",
        _LEGEND if drawn else "",
        *(_sentence(judged) for judged in drawn),
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{SECURITY_POLICY}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{markup(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _beside(*parts: str) -> str:
    """Parts side by side, where there is room for it."""
    return f'<div class="beside">{"".join(f"<div>{part}</div>" for part in parts if part)}</div>' if any(parts) else ""


def _table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = ()) -> str:
    """Return a table; cells are HTML, the header is text."""

    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(
            f"<{tag}{' class=text' if column in text_columns else ''}>{cell}</{tag}>" for column, cell in enumerate(row)
        )

    lines = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return (
        f'<div class="wide"><table><caption>{markup(caption)}</caption><thead><tr>'
        f"{cells([markup(name) for name in header], 'th')}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _numbers(count: int, sentences: Sequence[int], shown: set[int]) -> str:
    """Return a count that opens into the sentences behind it, those on the page as links."""
    if not count:
        return ""
    names = [f'<a href="#s{number}">{number}</a>' if number in shown else str(number) for number in sentences]
    more = f" … and {len(names) - MOST_LINKS} more" if len(names) > MOST_LINKS else ""
    return f"<details><summary>{count:,}</summary>{' '.join(names[:MOST_LINKS])}{more}</details>"


def _verdicts(report: Report, shown: set[int]) -> str:
    count = max(len(report.judgements), 1)
    rows = []
    for kind in VerdictKind:
        numbers = [judged.number for judged in report.judgements if judged.kind is kind]
        if numbers:
            share = f"{number(100 * len(numbers) / count, 1)} %"
            rows.append((kind.value, _numbers(len(numbers), numbers, shown), share, number(report.column(kind).f1, 2)))
    return "<h2>Verdicts</h2>" + _table(
        "Sentences by verdict, and the F1 that is lost in them", ("verdict", "sentences", "share", "F1 lost"), rows
    )


def _causes(report: Report, shown: set[int]) -> str:
    if not report.causes:
        return ""
    rows = []
    for cause, count in report.causes.most_common():
        where = [judged.number for judged in report.judgements if judged.causes[:1] == (cause,)]
        rows.append((cause.value, _numbers(count, where, shown)))
    return "<h2>Outside the model</h2>" + _table("First cause of each", ("cause", "trees"), rows)


def _matrix(report: Report, shown: set[int]) -> str:
    verdicts = [kind for kind in VerdictKind if report.column(kind).count]
    rows = []
    for kind in sorted(ErrorClass, key=lambda kind: -report.row(kind).f1):
        whole = report.row(kind)
        if not whole.count:
            continue
        cells = []
        for given in verdicts:
            cell = report.cells.get((kind, given))
            cells.append(_numbers(cell.count, cell.sentences, shown) if cell is not None else "")
        rows.append((kind.value, *cells, f"{whole.count:,}", number(whole.f1, 2)))
    header = ("error", *(kind.value for kind in verdicts), "all", "F1 lost")
    return "<h2>Errors</h2>" + _table(
        "Errors by kind and verdict; F1 lost is what repairing all of a kind would bring", header, rows
    )


def _worst(report: Report, heading: str, by: Callable[[FactorLoss], str], shown: set[int]) -> str:
    worst = report.worst(by)
    if not worst:
        return ""
    rows = [
        (markup(one.kind), markup(one.name), number(one.nats, 1), _numbers(one.count, one.sentences, shown))
        for one in worst
    ]
    return f"<h2>{markup(heading)}</h2>" + _table(
        "Nats that gold loses, summed over all sentences", ("factor", "what", "nats", "rows"), rows, text_columns=(1,)
    )


def _sentence(judged: Judgement) -> str:
    items = "".join(f"<li>{_error(error)}</li>" for error in judged.errors)
    gold, parse = clean(read_tree(judged.gold_tree), collapse=False), read_tree(judged.parse_tree)
    assert gold is not None
    places = narrowing(gold.tags())
    extra = [span for error in judged.errors for span in error.extra]
    missing = [span for error in judged.errors for span in error.missing]

    def figure(tree: Tree, name: str, spans: list[Span], mark: str) -> str:
        picture = svg_of_tree(tree, spans, mark, places, f"Sentence {judged.number}: {name}")
        return f"<figure><figcaption>{name}</figcaption>{picture}</figure>"

    # The kind stands in its frame already.
    kind = judged.kind.value
    verdict = re.sub(rf"^{kind}: (.)", lambda found: found[1].upper(), judged.told[0], flags=re.IGNORECASE)
    return (
        f'<section class="sentence" id="s{judged.number}"><h3>{judged.number}. {markup(judged.text)}</h3>'
        f'<p><span class="kind">{kind}</span> {_text(verdict)} '
        f'<span class="faint">F1 {number(judged.f1, 1)}</span></p><ul>{items}</ul><div class="pictures">'
        + figure(parse, "parse", extra, "extra")
        + figure(gold, "gold", missing, "missing")
        + "</div></section>"
    )


def _error(error: ParseError) -> str:
    return (
        f"<strong>{markup(error.kind.value)}</strong>: {_text(error_description(error))} "
        f'<span class="faint">(costs {number(error.f1, 1)} F1)</span>'
    )


def _text(text: str) -> str:
    """Return a sentence of the engine as HTML, words in quotation marks in place of back-ticks."""
    return markup(re.sub(r"`([^`]*)`", r"‘\1’", text))
