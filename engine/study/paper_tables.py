"""The paper's tables on any treebank: what is measured for each, the paper's own figures, and ours beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from engine.common.tables import Block, Column, Table, Value, text_table
from engine.settings import FULL_DISTANCE, ORDER_ONLY, PRESETS, Settings
from engine.structure.constituents import Constituent, Lexicaliser
from engine.structure.dependencies import analyse
from engine.structure.distance import VERB_TAGS
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.provenance import AUTOMATIC, BEST, GOLD, sources_text, tag_source
from engine.trees.head_rules import HeadRules
from engine.trees.tree import Tree, clean

# Experiments of the paper on any treebank: how far dependencies reach (Tables 1 and 2), and commas (2.7).

DISTANCES = (1, 2, 5, 10)
VERBS = (0, 1, 2)
PAPER_DISTANCES = (74.2, 86.3, 95.6, 99.0)
"""Table 1: per cent of dependencies over at most so many words of the reduced sentence."""
PAPER_VERBS = (94.1, 98.1, 99.3)
"""Table 2: per cent of dependencies with at most so many verbs between."""
PAPER_COMMAS = 96.0
"""Section 2.7: "In training data 96% of commas follow this rule"."""


@dataclass(slots=True)
class Distances:
    """Counts over a treebank.

    Attributes
    ----------
    sentences
        Trees with at least one word.
    distances
        How many dependencies (the root's left out) reach over so many words of the reduced sentence.
    verbs
        How many have so many verbs between head and modifier.
    commas, obeying
        Joins of two neighbours with a 'comma' between them, and those among them that obey the punctuation
        rule: the right neighbour's last word is followed by a 'comma' too, or is the sentence's last.
    """

    sentences: int = 0
    distances: Counter[int] = field(default_factory=Counter)
    verbs: Counter[int] = field(default_factory=Counter)
    commas: int = 0
    obeying: int = 0

    @property
    def dependencies(self) -> int:
        """How many dependencies were counted."""
        return self.distances.total()

    def add(self, root: Constituent, sentence: TaggedSentence) -> None:
        """Count one tree."""
        self.sentences += 1
        tags = sentence.proper_tags
        analysis = analyse(root, tags)
        # before[j]: verbs among the first j words of the reduced sentence.
        before = [0]
        for position in analysis.reduced:
            before.append(before[-1] + (tags[position] in VERB_TAGS))
        for arrow in analysis.dependencies:
            if arrow.head:
                first, second = sorted((arrow.modifier, arrow.head))
                self.distances[second - first] += 1
                self.verbs[before[second - 1] - before[first]] += 1
        self._add_commas(root, sentence.commas)

    def _add_commas(self, root: Constituent, commas: list[int]) -> None:
        for node in root.walk():
            for gap, end in node.joins():
                if commas[gap] > 0:
                    self.commas += 1
                    self.obeying += end == len(commas) or commas[end] > 0

    def distance_shares(self) -> tuple[float, ...]:
        """Table 1 for this treebank, in per cent."""
        return _shares(self.distances, DISTANCES)

    def verb_shares(self) -> tuple[float, ...]:
        """Table 2 for this treebank, in per cent."""
        return _shares(self.verbs, VERBS)

    @property
    def comma_share(self) -> float:
        """Per cent of the commas between neighbours that obey the punctuation rule."""
        return 100 * self.obeying / self.commas if self.commas else 0.0

    def state(self) -> dict[str, Any]:
        """Return the counts, ready to be written as JSON."""
        pairs = {"distances": self.distances, "verbs": self.verbs}
        return {
            "sentences": self.sentences,
            "commas": self.commas,
            "obeying": self.obeying,
            **{name: sorted(counts.items()) for name, counts in pairs.items()},
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Distances:
        """Counts that :meth:`state` has written."""
        distances, verbs = (Counter(dict(map(tuple, state[name]))) for name in ("distances", "verbs"))
        return cls(state["sentences"], distances, verbs, state["commas"], state["obeying"])

    def as_dict(self) -> dict[str, Any]:
        """Return the tables beside the paper's, ready to be written as JSON."""

        def beside(names: Iterable[str], ours: Iterable[float], paper: Iterable[float]) -> dict[str, dict[str, float]]:
            return {
                name: {"treebank": mine, "paper": theirs} for name, mine, theirs in zip(names, ours, paper, strict=True)
            }

        return {
            "sentences": self.sentences,
            "dependencies": self.dependencies,
            "commas": self.commas,
            "distance": beside(map(str, DISTANCES), self.distance_shares(), PAPER_DISTANCES),
            "verbs": beside(map(str, VERBS), self.verb_shares(), PAPER_VERBS),
            "punctuation_rule": {"treebank": self.comma_share, "paper": PAPER_COMMAS},
        }


def _shares(counts: Counter[int], limits: Iterable[int]) -> tuple[float, ...]:
    total = counts.total()
    return tuple(
        100 * sum(count for value, count in counts.items() if value <= limit) / total if total else 0.0
        for limit in limits
    )


def distances(
    trees: Iterable[Tree], rules: HeadRules, watch: Callable[[int, Distances], None] = lambda count, found: None
) -> Distances:
    """Tables 1 and 2 and the share of commas that obey, over raw trees.

    `watch` is told before every tree how many there were, and what was found in them.
    """
    lexicaliser = Lexicaliser(rules)
    found = Distances()
    for count, raw in enumerate(trees):
        watch(count, found)
        tree = clean(raw)
        root = lexicaliser.constituent(tree) if tree is not None else None
        if tree is not None and root is not None:
            found.add(root, TaggedSentence.from_tree(tree))
    return found


# What each experiment measures: lists of trials, and the paper's own figures for the same rows (Tables 3 to 5).

TrialResults = Sequence[Mapping[str, Any]]
"""For every trial what was measured, as the journal keeps it."""
PAPER_LENGTHS = (40, 100)
PAPER_BEAMS = (1000.0, 150.0, 20.0, 3.0, 1.5, 1.2)
"""β of Table 5."""
IN_USE, LITERAL = "the beam in use", "the beam as printed"

PAPER_MODELS: dict[int, dict[int, tuple[float, ...]]] = {
    1: {40: (84.9, 84.9, 1.32, 57.2, 80.8), 100: (84.3, 84.3, 1.53, 54.7, 77.8)},
    2: {40: (85.4, 85.5, 1.21, 58.4, 82.4), 100: (84.8, 84.8, 1.41, 55.9, 79.4)},
    3: {40: (85.5, 85.7, 1.19, 59.5, 82.6), 100: (85.0, 85.1, 1.39, 56.8, 79.6)},
    4: {40: (85.8, 86.3, 1.14, 59.9, 83.6), 100: (85.3, 85.7, 1.32, 57.2, 80.8)},
}
"""Table 3: by model and longest sentence LR, LP, CBs, 0 CBs and ≤ 2 CBs."""
PAPER_SPATTER: dict[int, tuple[float, ...]] = {
    40: (84.6, 84.9, 1.26, 56.6, 81.4),
    100: (84.0, 84.3, 1.46, 54.0, 78.8),
}
"""Table 3's last row: these figures of SPATTER."""
PAPER_MODEL = 3
"""The model of Tables 4 and 5; its tags are the tagger's best."""
PAPER_ABLATION = {
    (True, True): (85.0, 85.1, 1.39),
    (True, False): (76.1, 76.6, 2.26),
    (False, True): (80.9, 83.6, 1.51),
}
"""Table 4: by distance measure and lexical information LR, LP and CBs, ≤ 100 words, model (3)."""
PAPER_BEAM_FIGURES = {
    1000.0: (118, 84.9, 85.1, 1.39),
    150.0: (166, 84.8, 85.1, 1.38),
    20.0: (217, 84.7, 85.0, 1.40),
    3.0: (261, 84.1, 84.5, 1.44),
    1.5: (283, 83.7, 84.1, 1.48),
    1.2: (289, 83.5, 83.9, 1.50),
}
"""Table 5: by β sentences per minute (on a 60 MHz processor), LR, LP and CBs, ≤ 100 words, model (3)."""


def per_minute(result: Mapping[str, Any], length: int) -> float | None:
    """Return the speed of a result in Table 5's unit, sentences a minute; ``None`` while nothing is measured."""
    speed = result["measures"][str(length)]["sentences_per_second"]
    return None if speed is None else float(60 * speed)


@dataclass(frozen=True, slots=True)
class Trial:
    """One measurement.

    Attributes
    ----------
    name
        What its row is called, a cell for each of the columns that name rows.
    settings
        How to parse.
    tags
        Where tags come from (:mod:`engine.study.provenance`).
    share
        Which share of the training trees the model has seen.
    group
        What several rows have in common, where there are several such groups.
    model
        Which of several models parses, by its place among them.
    """

    name: tuple[str, ...]
    settings: Settings
    tags: str = GOLD
    share: Fraction = Fraction(1)
    group: str = ""
    model: int = 0


def _trial(name: tuple[str, ...], settings: Settings, tags: str | None, **more: Any) -> Trial:
    """Return a trial whose tags come from where they are wanted; without a wish, automatic ones, as in the paper."""
    source, settings = tag_source(settings, tags)
    return Trial(name, settings, source, **more)


def models(presets: Iterable[int] = PRESETS, beam: float = 1000.0, tags: str | None = None) -> list[Trial]:
    """Table 3: a trial for every preset; (1) to (3) from the tagger's best tags and (4) from distributions."""
    return [_trial((f"({preset})",), Settings.preset(preset, beam=beam), tags) for preset in presets]


def ablation(preset: int, beam: float = 1000.0, tags: str | None = None) -> list[Trial]:
    """Table 4, and the fourth combination, which the paper leaves out."""
    return [
        _trial(
            ("yes" if distance else "no", "yes" if lexical else "no"),
            Settings.preset(preset, beam=beam, distance=FULL_DISTANCE if distance else ORDER_ONLY, lexical=lexical),
            tags,
        )
        for distance, lexical in ((True, True), (True, False), (False, True), (False, False))
    ]


def beams(
    preset: int, sizes: Sequence[float] = PAPER_BEAMS, literal: bool = False, tags: str | None = None
) -> list[Trial]:
    """Table 5, with the beam as printed beside the one in use if `literal`."""
    kinds = [(IN_USE, False), (LITERAL, True)] if literal else [(IN_USE, False)]
    return [
        _trial((f"{beta:g}",), Settings.preset(preset, beam=beta, literal_beam=as_printed), tags, group=kind)
        for kind, as_printed in kinds
        for beta in sizes
    ]


def learning_curve(preset: int, beam: float = 1000.0, halvings: int = 4, tags: str | None = None) -> list[Trial]:
    """Trials with 1/2^halvings of the training trees, then twice as many each time.

    The tagger learns from the same trees, so that with automatic tags the curve is that of tagger and parser together.
    """
    settings = Settings.preset(preset, beam=beam)
    shares = [Fraction(1, 2**power) for power in range(halvings, -1, -1)]
    return [_trial((str(share),), settings, tags, share=share) for share in shares]


def grid(models: Sequence[str], presets: Iterable[int], sizes: Sequence[float], tags: Sequence[str]) -> list[Trial]:
    """Return every combination of models (by their names), presets, β and sources of tags, each once.

    Two sources that are the same for a preset (its automatic tags, and those by their name) are one trial.
    """
    found: dict[tuple[int, tuple[str, ...], str], Trial] = {}
    presets = tuple(presets)
    for place, name in enumerate(models):
        for preset in presets:
            for beta in sizes:
                for wanted in tags:
                    settings = Settings.preset(preset, beam=beta)
                    trial = _trial(
                        (name, f"({preset})", f"{beta:g}"),
                        settings,
                        None if wanted == AUTOMATIC else wanted,
                        model=place,
                    )
                    found.setdefault((place, trial.name, trial.tags), trial)
    return list(found.values())


# From results to tables: ours beside the paper's, with the paper's own columns.

THE_PAPER = "the paper (WSJ, section 23)"
PAPERS_MODEL = f"{THE_PAPER}, model ({PAPER_MODEL})"

_LR = Column(
    "labeled_recall",
    "LR",
    "{:.1f}",
    tip="LR, labeled recall: per cent of the treebank’s constituents that the parse has",
)
_LP = Column(
    "labeled_precision",
    "LP",
    "{:.1f}",
    tip="LP, labeled precision: per cent of the parse’s constituents that the treebank has",
)
_F1 = Column("f1", "F1", "{:.1f}", tip="F1: the harmonic mean of labeled recall and precision")
_CBS = Column("crossing", "CBs", "{:.2f}", tip="CBs: crossing brackets per sentence")
_NO_CBS = Column("no_crossing", "0 CBs", "{:.1f}", tip="0 CBs: per cent of sentences without crossing brackets")
_TWO_CBS = Column(
    "two_or_less_crossing",
    "<=2 CBs",
    "{:.1f}",
    tip="≤ 2 CBs: per cent of sentences with at most two crossing brackets",
)
_SPEED = Column(
    "sentences_per_second",
    "sent./s",
    "{:,.0f}",
    tip="Sentences parsed in a second by one process, without tagging",
)
_SENTENCES = Column("sentences", "sent.", "{:,}", tip="How many sentences are measured")
_TAGS = Column(
    "tags",
    "tags",
    tip="Where the tags come from: the treebank (gold), the tagger’s best sequence, or its distributions",
)


def _measures(result: Mapping[str, Any], length: int, columns: Iterable[Column]) -> list[Value]:
    figures = result["measures"][str(length)]
    return [figures[column.key] for column in columns]


def _title(what: str, trials: Sequence[Trial]) -> str:
    """Return the title of a table, with the source of its tags."""
    return f"{what}, {sources_text(trial.tags for trial in trials)}"


def models_table(trials: Sequence[Trial], results: TrialResults, test: str, lengths: Sequence[int]) -> Table:
    """Table 3: every model, for every longest sentence; in per cent but for CBs and speed."""
    measures = (_LR, _LP, _CBS, _NO_CBS, _TWO_CBS, _SPEED)
    columns = [Column("model", "model"), _TAGS]
    for length in lengths:
        counts = {result["measures"][str(length)]["sentences"] for result in results} - {None}
        sentences = f" ({'/'.join(f'{count:,}' for count in sorted(counts))} sentences)" if counts else ""
        group = f"<={length} tokens{sentences}"
        columns += [replace(column, key=f"{column.key}_{length}", group=group) for column in measures]
    rows = [
        (*trial.name, trial.tags, *(cell for length in lengths for cell in _measures(result, length, measures)))
        for trial, result in zip(trials, results, strict=True)
    ]
    nothing: tuple[Value, ...] = (None,) * (len(measures) - 1)

    def papers(name: str, tags: str | None, figures: Mapping[int, tuple[float, ...]]) -> tuple[Value, ...]:
        return (name, tags, *(cell for length in lengths for cell in (*figures.get(length, nothing), None)))

    paper = [
        papers(f"({model})", tag_source(Settings.preset(model))[0], figures) for model, figures in PAPER_MODELS.items()
    ]
    blocks = (Block(test, tuple(rows)), Block(THE_PAPER, (*paper, papers("SPATTER", None, PAPER_SPATTER)), papers=True))
    return Table(_title("Table 3: the models", trials), tuple(columns), blocks, names=2, matched=(0,))


def ablation_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> Table:
    """Table 4: distance measure × lexical information."""
    measures = (_LR, _LP, _F1, _CBS, _SPEED)
    names = (Column("distance", "distance"), Column("lexical", "lexical"), _TAGS)
    rows = [
        (*trial.name, trial.tags, *_measures(result, length, measures))
        for trial, result in zip(trials, results, strict=True)
    ]
    paper = [
        (
            "yes" if distance else "no",
            "yes" if lexical else "no",
            BEST,
            recall,
            precision,
            _f1(recall, precision),
            crossing,
            None,
        )
        for (distance, lexical), (recall, precision, crossing) in PAPER_ABLATION.items()
    ]
    blocks = (Block(test, tuple(rows)), Block(PAPERS_MODEL, tuple(paper), papers=True))
    title = _title(f"Table 4: distance measure and lexical information, sentences of <={length} tokens", trials)
    return Table(title, (*names, *measures), blocks, names=3, matched=(0, 1))


def beam_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> Table:
    """Table 5: β against speed and accuracy; speed in sentences a minute, as in the paper."""
    measures = (_LR, _LP, _F1, _CBS)
    blocks = []
    for group in dict.fromkeys(trial.group for trial in trials):
        rows = [
            (*trial.name, trial.tags, per_minute(result, length), *_measures(result, length, measures))
            for trial, result in zip(trials, results, strict=True)
            if trial.group == group
        ]
        blocks.append(Block(f"{test}, {group}", tuple(rows)))
    paper = [
        (f"{beta:g}", BEST, minute, recall, precision, _f1(recall, precision), crossing)
        for beta, (minute, recall, precision, crossing) in PAPER_BEAM_FIGURES.items()
    ]
    blocks.append(Block(PAPERS_MODEL, tuple(paper), papers=True))
    columns = (
        Column("beam", "β"),
        _TAGS,
        Column(
            "sentences_per_minute",
            "sent./min",
            "{:,.0f}",
            tip="Sentences parsed in a minute by one process, without tagging",
        ),
        *measures,
    )
    title = _title(f"Table 5: the beam, sentences of <={length} tokens", trials)
    return Table(title, columns, tuple(blocks), names=2, matched=(0,))


def learning_table(trials: Sequence[Trial], results: TrialResults, test: str, length: int) -> Table:
    """Accuracy, size and time against the number of training sentences."""
    measures = (_LR, _LP, _F1, _CBS, _SPEED)
    columns = (
        Column("share", "share"),
        _TAGS,
        Column("training_sentences", "sentences", "{:,}"),
        *measures,
        Column("contexts", "contexts", "{:,}"),
        Column("megabytes", "model MB", "{:.1f}"),
        Column("training_seconds", "training s", "{:.1f}"),
    )
    rows = []
    for trial, result in zip(trials, results, strict=True):
        facts = result["training"]
        megabytes = facts["bytes"] / 1e6 if facts["bytes"] is not None else None
        size: tuple[Value, ...] = (facts["contexts"], megabytes, facts["seconds"])
        rows.append((*trial.name, trial.tags, facts["sentences"], *_measures(result, length, measures), *size))
    title = _title(f"Learning curve, tested on sentences of <={length} tokens", trials)
    return Table(title, columns, (Block(test, tuple(rows)),), names=2)


def grid_table(trials: Sequence[Trial], results: TrialResults, test: str, lengths: Sequence[int]) -> Table:
    """Return a row for every combination, and for those that the paper has measured, its own."""
    measures = (_SENTENCES, _LR, _LP, _F1, _CBS, _NO_CBS, _TWO_CBS, _SPEED)
    names = (Column("model", "model"), Column("preset", "preset"), Column("beam", "β"), _TAGS)
    rows = [
        (*trial.name, trial.tags, f"<={length}", *_measures(result, length, measures))
        for trial, result in zip(trials, results, strict=True)
        for length in lengths
    ]
    combinations = dict.fromkeys((trial.name[1], trial.name[2], length) for trial in trials for length in lengths)
    paper = [row for preset, beta, length in combinations if (row := _papers_row(preset, beta, length)) is not None]
    blocks = [Block(test, tuple(rows))] + ([Block(THE_PAPER, tuple(paper), papers=True)] if paper else [])
    columns = (*names, Column("length", "tokens"), *measures)
    return Table(_title("Grid", trials), columns, tuple(blocks), names=5, matched=(1, 2, 4))


def _papers_row(preset: str, beta: str, length: int) -> tuple[Value, ...] | None:
    """Return the paper's figures for a combination: those of Table 3, and for other β those of Table 5."""
    number, width = int(preset.strip("()")), float(beta)
    named = (None, preset, beta, tag_source(Settings.preset(number))[0], f"<={length}", None)
    if width == PAPER_BEAMS[0] and length in PAPER_MODELS.get(number, {}):
        recall, precision, crossing, none, two = PAPER_MODELS[number][length]
        return (*named, recall, precision, _f1(recall, precision), crossing, none, two, None)
    if (number, length) == (PAPER_MODEL, PAPER_LENGTHS[-1]) and width in PAPER_BEAM_FIGURES:
        _, recall, precision, crossing = PAPER_BEAM_FIGURES[width]
        return (*named, recall, precision, _f1(recall, precision), crossing, None, None, None)
    return None


def _f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision)


def distances_table(found: Distances, test: str) -> Table:
    """Tables 1 and 2 and the punctuation rule, a row for every limit."""

    def rows(limits: Sequence[int], ours: Sequence[float], paper: Sequence[float]) -> tuple[tuple[Value, ...], ...]:
        return tuple(zip(_limits(limits), ours, paper, strict=True))

    return Table(
        "Tables 1 and 2: dependencies, in per cent",
        (Column("limit", "limit"), Column("treebank", test, "{:.1f}"), Column("paper", "the paper", "{:.1f}")),
        (
            Block("Table 1: distance", rows(DISTANCES, found.distance_shares(), PAPER_DISTANCES)),
            Block("Table 2: verbs between", rows(VERBS, found.verb_shares(), PAPER_VERBS)),
            Block("Comma rule", (("commas obeying", found.comma_share, PAPER_COMMAS),)),
        ),
    )


def distances_report(found: Distances) -> str:
    """Tables 1 and 2 and the punctuation rule as text, the paper's rows under ours."""

    def row(name: str, values: Sequence[float]) -> list[str]:
        return [name, *(f"{value:.1f}" for value in values)]

    first = text_table(
        ["distance", *_limits(DISTANCES)],
        [row("this treebank", found.distance_shares()), row("the paper", PAPER_DISTANCES)],
        right=range(1, 1 + len(DISTANCES)),
    )
    second = text_table(
        ["verbs between", *_limits(VERBS)],
        [row("this treebank", found.verb_shares()), row("the paper", PAPER_VERBS)],
        right=range(1, 1 + len(VERBS)),
    )
    third = text_table(
        ["commas", "obeying"],
        [row("this treebank", [found.comma_share]), row("the paper", [PAPER_COMMAS])],
        right=(1,),
    )
    return "\n\n".join(
        [
            f"{found.sentences:,} sentences, {found.dependencies:,} dependencies, {found.commas:,} commas; per cent",
            f"Table 1\n{first}",
            f"Table 2\n{second}",
            f"Comma rule\n{third}",
        ]
    )


def _limits(limits: Sequence[int]) -> list[str]:
    return [str(limits[0]), *(f"<={limit}" for limit in limits[1:])]
