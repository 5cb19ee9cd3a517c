"""The parse as one JSON object on one line, by a schema of its own: ``engine/export/parse.schema.json``.

The schema (JSON Schema, draft 2020-12) describes every key; :data:`VERSION` grows with any change that could break a
reader, while keys may be added without it.  Terminal, window and Python all write what :func:`json_object` gives.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.chart.parse import Parse
from engine.common.arguments import expect
from engine.estimates.ledger import ROOT, DependencyProbability
from engine.export.format import Format, safe_tree
from engine.export.rows import PUNCTUATION, Row, rows_of
from engine.study.vote_shares import votes_of

if TYPE_CHECKING:
    from engine.estimates.explainer import Explainer
    from engine.estimates.ledger import Factor
    from engine.explain.context import ParseContext
    from engine.explain.wording import Headline
    from engine.structure.dependencies import Relation
    from engine.text.tagged_text import Passage
    from engine.trees.tree import Tree

SCHEMA = "parse-explorer/parse"
VERSION = 2
SCHEMA_FILE = Path(__file__).with_name("parse.schema.json")
MOST_ALTERNATIVES = 5
"""How many other heads and relations of a word an object has: the most probable by equation (8)."""


def json_object(parse: Parse, passage: Passage | None = None) -> dict[str, Any]:
    """Return the best parse and, if there are several, all of them under ``alternatives``, best first.

    Parameters
    ----------
    parse
        A parse with its alternatives.
    passage
        The sentence of plain text that was parsed, for its place and its tokens' places in the text.
    """
    expect(parse, Parse, "what is told as JSON is a Parse")
    known = parse.model.tag_numbers
    described: dict[str, Any] = {
        **_header(),
        "settings": parse.settings.as_dict(),
        "counts_remark": parse.counts_remark or None,
        "unknown_tags": sorted({tag for tag in parse.sentence.proper_tags if tag not in known}),
        **(places(passage) if passage is not None else {}),
    }
    # What explains is imported when it is asked for: commands start without it.
    from engine.explain.context import ParseContext

    parses = [_one(ParseContext(one, parse.alternatives)) for one in parse.alternatives]
    described |= parses[0]
    if len(parses) > 1:
        described["alternatives"] = parses
    return described


def failure_object(problem: str) -> dict[str, Any]:
    """Return what stands in place of a parse that could not be had."""
    return {**_header(), "error": problem}


def places(passage: Passage) -> dict[str, Any]:
    """Return where a sentence of plain text and its tokens stand in the text, in characters."""
    sentence = passage.sentence
    return {
        "text": passage.text,
        "start": sentence.start,
        "end": sentence.end,
        "offsets": [[token.start, token.end] for token in sentence.tokens],
    }


def _header() -> dict[str, Any]:
    return {"schema": SCHEMA, "version": VERSION}


def _one(context: ParseContext) -> dict[str, Any]:
    """One parse; under model (4) even its tags may differ from another's."""
    from engine.explain.registry import headline_of
    from engine.explain.subjects import ArrowId, GapId

    parse, explainer = context.parse, context.explainer
    words = parse.sentence.words
    probabilities = parse.dependency_probabilities(explainer)
    numbers = {position: number for number, position in enumerate(parse.reduced, 1)} | {ROOT: 0}
    return {
        "headline": headline_of(context, None).as_dict() if parse.sentence.positions else None,
        "words": parse.sentence.proper_words,
        "tags": parse.sentence.proper_tags,
        "tags_considered": parse.tags_considered,
        "tree": safe_tree(parse.tree).brackets() if words else None,
        "structure": _structure(parse.tree) if words else None,
        "log_probability": finite(parse.log_probability),
        "score": finite(parse.score),
        "second_model": _second_model(parse, explainer),
        "votes": _votes(parse),
        "dependencies_log_probability": finite(probabilities.log_probability),
        "fallback": parse.fallback,
        "further_backoff": parse.further_backoff.json_name,
        "passes": parse.passes,
        "beam": finite(parse.beam),
        "gaps": parse.gap_tags,
        "gap_headlines": [headline_of(context, GapId(place)).as_dict() for place, _ in enumerate(parse.gap_tags, 1)],
        "basenps": [[base.start, base.end, base.head] for base in parse.basenps],
        "reduced": list(parse.reduced),
        "dependencies": [
            _dependency(one, numbers, explainer, headline_of(context, ArrowId(one.modifier))) for one in probabilities
        ],
        "unaries": [unary._asdict() for analysis in parse.analyses for unary in analysis.unaries],
        "tokens": [_token(row) for row in rows_of(parse)],
    }


def _second_model(parse: Parse, explainer: Explainer) -> dict[str, Any] | None:
    """Return what the second model says of the tree, and what it weighs in the score."""
    if parse.fallback or not parse.roots:
        return None
    log_probability = explainer.generative.log_probability(parse.roots[0])
    if log_probability is None:
        return None
    return {"log_probability": log_probability, "weight": explainer.generative.weight}


def _votes(parse: Parse) -> dict[str, Any] | None:
    """Return the choice by expected F1: what every constituent got of the list's probability."""
    votes = parse.votes
    if votes is None:
        return None
    return {
        "expected_f1": parse.expected_f1,
        "parses": votes.voters,
        "highest_score": finite(votes.best_score),
        "constituents": [
            {
                "label": label,
                "start": start,
                "end": end,
                "share": vote.share,
                "rival": None if vote.rival is None else [*vote.rival, vote.rival_share],
            }
            for vote in votes_of(parse)
            for label, start, end in [vote.bracket]
        ],
    }


def _dependency(
    one: DependencyProbability, numbers: Mapping[int, int], explainer: Explainer, headline: Headline
) -> dict[str, Any]:
    """AF(j) with F̂, λ and equation (8)'s probability, and the same of the likeliest other heads and relations."""
    return {
        "modifier": numbers[one.modifier],
        "headline": headline.as_dict(),
        **_arrow(numbers[one.head], one.relation, one.factor, one.probability),
        "alternatives": [
            _arrow(
                numbers[other.head],
                other.relation,
                explainer.dependency(one.modifier, other.head, other.relation, other.distance),
                other.probability,
            )
            for other in one.alternatives[:MOST_ALTERNATIVES]
        ],
    }


def _arrow(head: int, relation: Relation, factor: Factor | None, probability: float | None) -> dict[str, Any]:
    return {
        "head": head,
        "relation": [label for label in relation if label],
        "estimate": factor.probability if factor is not None else None,
        "lambdas": [weight._asdict() for weight in factor.weights] if factor is not None else [],
        "probability": probability,
    }


def _structure(tree: Tree) -> dict[str, Any]:
    if tree.word is not None:
        return {"label": tree.label, "word": tree.word}
    return {"label": tree.label, "children": [_structure(child) for child in tree.children]}


def _token(row: Row) -> dict[str, Any]:
    return {
        "word": row.word,
        "tag": row.tag,
        "punctuation": row.kind == PUNCTUATION,
        "head": row.head - 1 if row.head else None,
        "relation": row.relation_name,
        "chunk": row.chunk,
        "gap": row.gap or None,
    }


def finite(value: Any) -> Any:
    """Return the value, or ``None`` for infinity and NaN, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_line(described: dict[str, Any]) -> str:
    """Return an object on one line; what UTF-8 cannot hold (a lone surrogate) is written as an escape."""
    text = json.dumps(described, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(described, allow_nan=False)
    return text + "\n"


def _piece(parse: Parse) -> str:
    return json_line(json_object(parse))


JSON = Format("JSON, one object a line", ".json", _piece)
