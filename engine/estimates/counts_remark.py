"""What is to be said of counts that are not simply those of the training trees, in one sentence."""

from __future__ import annotations

from engine.model.model import Model
from engine.settings import Settings

NOT_THE_PAPERS = "These are not the paper's numbers"


def counts_remark(model: Model, settings: Settings) -> str:
    """Say how the counts behind a parse differ from C(…) of the paper's section 2.2; nothing where they do not.

    Under the paper's own presets they must be all counts of the trees, each tree once; a compact model has not all of
    them.  Preset (5) may weigh treebanks, and whoever reads its η and δ should know.
    """
    weighted = settings.treebank_weights and model.counts.has_weights
    if not settings.recursion:
        if not model.exact:
            return f"{NOT_THE_PAPERS}: the model is compact, and rare contexts were left out of its counts."
        if weighted:
            return f"{NOT_THE_PAPERS}: {_weights(model)}."
    return f"η and δ are weighted: {_weights(model)}." if weighted else ""


def second_model_remark(model: Model) -> str:
    """Say how the second model was counted where treebanks have weights: by these, whatever the settings."""
    if model.generative is None or all(weight == 1 for weight in model.metadata.get("weights", ())):
        return ""
    return f"The second model's counts are weighted: {_weights(model)}."


def _weights(model: Model) -> str:
    """The weights of the model's treebanks in words: ``every tree counts 3 times in a.ptb, once in b.ptb``."""
    by_weight: dict[int, list[str]] = {}
    about = model.metadata
    for name, weight in zip(about.get("corpora", ()), about.get("weights", ()), strict=False):
        by_weight.setdefault(weight, []).append(name)
    parts = []
    for weight, names in sorted(by_weight.items(), reverse=True):
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        parts.append(f"{'once' if weight == 1 else f'{weight} times'} in {listed}")
    return f"every tree counts {', '.join(parts)}"
