"""F̂(<label> | head-word, head tag) explained: AF of the head of the sentence (footnote 5)."""

from __future__ import annotations

from engine.counts.keys_kernel import root_key
from engine.counts.specifications_layout import REDUCED_WORD, ROOT_ANY, ROOT_TAG, ROOT_WORD, TABLES
from engine.estimates.explained_sentence import ExplainedSentence
from engine.estimates.factor_subjects import RootSubject
from engine.estimates.ledger import Factor
from engine.estimates.level_contexts import LevelContexts, look_up
from engine.estimates.mixtures import interpolated_factor
from engine.estimates.root_estimates_kernel import root_estimate

LEVEL_TABLES = (ROOT_WORD, ROOT_TAG, ROOT_ANY)


class RootFactors:
    """Explains the roots of one sentence's parses."""

    def __init__(self, sentence: ExplainedSentence) -> None:
        self._sentence = sentence

    def contexts(self, head: int) -> tuple[LevelContexts, ...]:
        """List the contexts in which the levels of F̂ are looked up."""
        word, tag = self._sentence.numbers[head]
        widths = self._sentence.counts.widths
        found = []
        for table in LEVEL_TABLES:
            known = word >= 0 or REDUCED_WORD not in TABLES[table].fields
            keys = (int(root_key(widths, table, word, tag)),) if known else ()
            found.append(LevelContexts(TABLES[table].level, table, keys))
        return tuple(found)

    def factor(self, head: int, label: str) -> Factor:
        """F̂ of a label as the root over a head-word."""
        sentence = self._sentence
        subject = RootSubject(head, sentence.words[head], label)
        number = sentence.model.label_numbers.get(label)
        never = f"{label} was never the root in training"
        if number is None:
            return Factor(subject, (), (), (), 0.0, never)
        probability = float(root_estimate(sentence.counts, *sentence.numbers[head], number))
        levels = look_up(sentence.counts, self.contexts(head), number)
        return interpolated_factor(subject, levels, probability, "" if probability else never)
