"""What a model was trained on and what came of it: for the terminal, JSON and the window alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.common.terminal import clock
from engine.counts.counting import table_sizes
from engine.model.model import RUN_RECORD, Model
from engine.trees.treebank import KEPT_REASONS, BadTrees

WITHOUT_WORDS = "nothing but traces and punctuation"
_MINUTE = 60.0


def summary_lines(model: Model, bad: BadTrees | None = None) -> list[tuple[str, str]]:
    """Return what was used, what was left out and why, and what came of it, as names with texts;
    of a list the first has one.

    Parameters
    ----------
    model
        The model.
    bad
        The broken trees, if they are at hand: their places then have whole paths.
    """
    about, vocabulary = model.metadata, model.vocabulary
    lines: list[tuple[str, str]] = []
    if "trees" in about:
        left_out = about.get("skipped", 0) + about["trees"] - about["sentences"]
        whole = about["trees"] + about.get("skipped", 0)
        lines += [
            ("sentences", f"{about['sentences']:,} used of {whole:,} trees"),
            ("skipped", f"{left_out:,}"),
            *(("", text) for text in reasons(model, bad)),
        ]
    lines += [
        ("words", f"{about.get('words', 0):,} ({len(vocabulary.words):,} different)"),
        ("tags", f"{len(vocabulary.tags):,}"),
        ("labels", f"{len(vocabulary.labels) - 1:,}"),
        ("triples", f"{len(vocabulary.triples):,}"),
        ("contexts", f"{sum(size for _, size, _ in table_sizes(model.counts)):,}"),
        ("tagger", tagger_text(model)),
        ("re-ranker", reranker_text(model)),
    ]
    return lines


def reasons(model: Model, bad: BadTrees | None = None) -> list[str]:
    """Return why trees were left out, each reason with its count, and the first place."""
    about = model.metadata
    found: list[str] = []
    without_words = about.get("trees", 0) - about.get("sentences", 0)
    if without_words:
        found.append(f"{without_words:,} × {WITHOUT_WORDS}")
    left_out = about.get("left_out", {})
    found += [f"{count:,} × {reason}" for reason, count in left_out.get("reasons", ())]
    if left_out.get("other_reasons"):
        others = f"{len(bad.reasons) - KEPT_REASONS:,} other" if bad is not None else "other"
        found.append(f"{left_out['other_reasons']:,} × for {others} reasons")
    if bad is not None and bad.first is not None:
        found.append(f"first: {bad.first}")
    elif left_out.get("first"):
        file, line, column, _ = left_out["first"][0]
        found.append(f"first: {file}, line {line}, column {column}")
    return found


def run_lines(model: Model) -> list[tuple[str, str]]:
    """When, how long and with how much memory a model was trained; empty if it keeps no record of that."""
    run = model.metadata.get(RUN_RECORD)
    if not run:
        return []
    lines = [
        ("trained", f"{run['finished'].replace('T', ' ').replace('+00:00', ' UTC')}, version {run['program']}"),
        ("took", duration(run["seconds"])),
        *(("", f"{stage}: {duration(seconds)}") for stage, seconds in run["stages"].items()),
    ]
    if run.get("memory_bytes"):
        lines.append(("memory", f"{size_text(run['memory_bytes'])} at most, {_processes(run['jobs'])}"))
    rules = run["options"]["head_rules"]
    if rules != "built-in":
        lines.append(("head rules", rules))
    return lines


def summary_dict(model: Model, path: Path | None = None) -> dict[str, Any]:
    """Return all of it, ready to be written as JSON; `path` is the model's file, if it has one."""
    about, vocabulary = model.metadata, model.vocabulary
    return {
        **({"model": path.name, "bytes": path.stat().st_size} if path is not None else {}),
        **{name: value for name, value in about.items() if name != RUN_RECORD},
        "different_words": len(vocabulary.words),
        "tags": len(vocabulary.tags),
        "labels": len(vocabulary.labels) - 1,
        "triples": len(vocabulary.triples),
        "chains": len(vocabulary.chains),
        "tagger": tagger_text(model),
        "re_ranker": reranker_text(model),
        "tables": [
            {"table": title, "contexts": contexts, "with_an_outcome": counted}
            for title, contexts, counted in table_sizes(model.counts)
        ],
        RUN_RECORD: about.get(RUN_RECORD),
    }


def tagger_text(model: Model) -> str:
    """Return what a model's tagger learnt, or why there is none."""
    if model.tagger is None:
        return f"none ({model.metadata.get('without_tagger', 'no reason given')})"
    size = sum(array.nbytes for array in model.tagger.arrays().values())
    trained = model.tagger.metadata().get("training") or {"words": 0}
    return (
        f"{len(model.tagger.tags):,} tags, {len(model.tagger.arrays()['keys']):,} features, {size_text(size)}, "
        f"from {trained['words']:,} tokens"
    )


def reranker_text(model: Model) -> str:
    """Return what a model's re-ranker learnt, or that there is none."""
    if model.reranker is None:
        return "none"
    return f"{len(model.reranker.keys):,} features, from {model.reranker.metadata.get('lists') or 0:,} lists of parses"


def size_text(size: int) -> str:
    """Return a file's size: ``12.3 MB``."""
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"


def duration(seconds: float) -> str:
    """Return a time that something took: ``0.4 s``, ``2:05``."""
    return f"{seconds:.1f} s" if seconds < _MINUTE else clock(seconds)


def _processes(jobs: int) -> str:
    return "in one process" if jobs == 1 else f"in {jobs:,} worker processes and the one that directs them"
