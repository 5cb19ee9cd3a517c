"""The parse as one JSON object on one line, by a schema of its own: ``engine/data/parse.schema.json``.

The schema (JSON Schema, draft 2020-12) describes every key; :data:`VERSION` grows with any change that could break a
reader, while keys may be added without it.  Positions count as everywhere in the engine: ``tokens`` from 0 with
punctuation; words in ``words``, ``tags``, ``gaps``, ``basenps`` and ``reduced`` from 0 without it; words in
``dependencies`` and ``unaries`` from 1 over the reduced sentence, head 0 being the root (the paper's AF).
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.export.bracket_export import safe_tree
from engine.export.export_format import Format
from engine.export.token_rows import PUNCTUATION, Row, rows_of

if TYPE_CHECKING:
    from engine.chart.parse import Parse
    from engine.trees.tree import Tree

SCHEMA = "parse-explorer/parse"
VERSION = 1
SCHEMA_FILE = Path(__file__).parents[1] / "data" / "parse.schema.json"


def describe(parse: Parse) -> dict[str, Any]:
    """The best parse and, if there are several, all of them under ``alternatives``, best first."""
    described: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "settings": {name: _finite(value) for name, value in asdict(parse.settings).items()},
        **_one(parse),
    }
    if len(parse.alternatives) > 1:
        described["alternatives"] = [_one(one) for one in parse.alternatives]
    return described


def _one(parse: Parse) -> dict[str, Any]:
    """One parse; under model (4) even its tags may differ from another's."""
    words = parse.sentence.words
    return {
        "words": parse.sentence.proper_words,
        "tags": parse.sentence.proper_tags,
        "tree": safe_tree(parse.tree).brackets() if words else None,
        "structure": _structure(parse.tree) if words else None,
        "log_probability": _finite(parse.log_probability),
        "fallback": parse.fallback,
        "passes": parse.passes,
        "beam": _finite(parse.beam),
        "gaps": parse.gap_tags,
        "basenps": [[base.start, base.end, base.head] for base in parse.basenps],
        "reduced": list(parse.reduced),
        "dependencies": [
            {
                "modifier": arrow.modifier,
                "head": arrow.head,
                "relation": [label for label in arrow.relation if label],
            }
            for arrow in parse.dependencies
        ],
        "unaries": [unary._asdict() for analysis in parse.analyses for unary in analysis.unaries],
        "tokens": [_token(row) for row in rows_of(parse)],
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


def _finite(value: Any) -> Any:
    """JSON has no infinity: ``null`` stands for it."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def line(parse: Parse) -> str:
    """The object on one line; what UTF-8 cannot hold (a lone surrogate) is written as an escape."""
    described = describe(parse)
    text = json.dumps(described, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(described, allow_nan=False)
    return text + "\n"


JSON = Format("JSON, one object a line", ".json", line)
