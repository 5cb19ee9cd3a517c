"""What stands over a comparison: the verdict, and the button that would repair the parse."""

from __future__ import annotations

from html import escape

from engine.analysis.comparison import Repair
from explorer.comparison.comparison_explanations import whole_headline
from explorer.comparison.comparison_pictures import headline
from explorer.comparison.comparison_task import Comparison
from explorer.document.messages import as_sentence
from explorer.graphics.number_text import beam_text, curly_quotes, log_text, no_markup


def verdict_text(comparison: Comparison | None, problem: str) -> str:
    """The verdict with its name in bold; or what keeps two parses from being compared."""
    if comparison is None:
        return no_markup(as_sentence(curly_quotes(problem)))
    text = headline(comparison)
    if comparison.verdict is not None:
        title = f"{comparison.verdict.kind.capitalize()}:"
        return escape(text, quote=False).replace(title, f"<b>{title}</b>", 1)
    if not comparison.full:
        text += "  Judging …"
    elif comparison.judgement:
        text = f"{text}  {curly_quotes(' '.join(comparison.judgement))}"
    elif comparison.difference is not None and not comparison.same_settings:
        text += "  The two are scored by different estimates, so that their factors do not mean the same."
    return no_markup(text)


def spoken_verdict(comparison: Comparison | None) -> str:
    """The verdict with its reasons, a line each, as a screen reader says it; empty without a comparison."""
    return curly_quotes(whole_headline(comparison).text.replace("\n- ", "\n")) if comparison is not None else ""


def repair_text(repair: Repair) -> str:
    """What to do so that the gold tree is found: ``Use β = 3000, re-rank 120``."""
    named = [f"β = {beam_text(repair.beam)}"] if repair.beam is not None else []
    named += [f"threshold {log_text(repair.threshold, 0)}"] if repair.threshold is not None else []
    parts = [f"use {', '.join(named)}"] if named else []
    parts += [f"re-rank {repair.rerank}"] if repair.rerank is not None else []
    parts += ["choose by score"] if repair.by_score else []
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]
