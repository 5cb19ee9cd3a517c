"""Unary productions explained: what stands over a constituent, or that nothing does (footnote to section 2.6)."""

from __future__ import annotations

from dataclasses import replace

from engine.analysis.evidence import Sources
from engine.chart.parse import Parse
from engine.counts.context_descriptions import level_title
from engine.counts.specifications_layout import CountedFactor
from engine.estimates.factor_subjects import UnarySubject
from engine.estimates.ledger import Factor
from engine.structure.constituents import CORE, Constituent
from explorer.explanations.estimate_explanations import counts_table, mixture
from explorer.explanations.explanation_blocks import ExplanationBlock, Heading, Paragraph, Section, latex_text


def unary_of(parse: Parse, node: Constituent) -> Factor | None:
    """The factor of what stands over a constituent of the parse; ``None`` where none is paid: the core of a phrase."""
    parent = next(
        (above for root in parse.roots for above in root.walk() if any(child is node for child in above.children)),
        None,
    )
    if parent is None or len(parent.children) > 1:
        if parent is not None and parent.head_label == CORE and parent.children[parent.head_child] is node:
            return None
        return parse.explainer().unary(node, None)
    return parse.explainer().unary(node, parent.label)


def unary_blocks(parse: Parse, node: Constituent) -> list[ExplanationBlock]:
    """The estimate behind what stands over a constituent, in full."""
    factor = unary_of(parse, node)
    heading = Heading("Unary (footnote to section 2.6)", Section.UNARY)
    if factor is None:
        return [heading, Paragraph("It is the core of a phrase, which settles what stands over it.", True)]
    word, tag = parse.sentence.proper_words[node.head], parse.sentence.proper_tags[node.head]
    parent = factor.subject.parent if isinstance(factor.subject, UnarySubject) else None
    note = f"Over it stands {parent}, by a unary production." if parent else "No unary production stands over it."
    blocks: list[ExplanationBlock] = [heading, Paragraph(note)]
    based_on = {
        "label": node.label,
        "label+tag": f"{node.label}, {tag}",
        "word+tag": f"{node.label}, {word}/{tag}",
        "before": f"{node.label}, {tag}, the tag before it",
        "after": f"{node.label}, {tag}, the tag after it",
        "before+after": f"{node.label}, {tag}, both tags beside it",
        "inside": f"{node.label}, {tag}, head-child, first tag",
    }
    if factor.levels:
        contexts = [based_on.get(level.name) or level_title(CountedFactor.UNARY, level.name) for level in factor.levels]
        sources = Sources(parse.explainer()).unary(node, parent)
        blocks.append(counts_table(factor, contexts, sources))
    outcome = parent or "none"
    left = (
        f"P̂({outcome} | {node.label}, {word}/{tag})",
        rf"\hat{{P}}(\text{{{latex_text(outcome)}}} \mid \text{{{latex_text(node.label)}}}, "
        rf"\text{{{latex_text(f'{word}/{tag}')}}})",
    )
    estimate = [
        replace(block, section=Section.UNARY) if isinstance(block, Heading) else block
        for block in mixture(factor, left)
    ]
    return [*blocks, *estimate]
