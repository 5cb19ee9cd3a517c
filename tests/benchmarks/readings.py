"""Effects of the readings of the paper, as the table of the manual's page about the paper cites them.

    python tests/benchmarks/readings.py --train gum-train.ptb --test gum-dev.ptb [--weighted english]

Trains one model on the first treebank, counts what each reading touches in either, and parses the second where a
reading has a switch.  A figure that has no line here comes from the trial that the page tells of, or from another
benchmark.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import engine
from engine.chart.parse import Cause, rule_impossibilities
from engine.chart.parser import Parser
from engine.counts.contexts import CLOSING, OPENING
from engine.estimates.ledger import FactorKind
from engine.model.model import Model
from engine.settings import Settings
from engine.structure.constituents import BASE_LABEL, CORE, JOINED, STACKED, Constituent, Lexicaliser
from engine.structure.dependencies import Analysis, analyse
from engine.structure.distance import MODAL, Ruler
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.evaluation import evaluate
from engine.study.paper_tables import distances
from engine.trees.head_rules import HeadRules, load_head_rules
from engine.trees.tree import COMMA_TAGS, PUNCTUATION_TAGS, Tree, clean
from engine.trees.treebank import read_treebank

LENGTH = 40
MISSING = (("E1", "E4"), ("E1",), ("E23",))
"""The levels that are mixed where one between or below them does not exist."""


def share(what: str, part: int, whole: int) -> None:
    """Print a share."""
    print(f"{what}: {part:,} of {whole:,}, {100 * part / max(whole, 1):.2f} %", flush=True)


def lexicalised(trees: list[Tree], lexicaliser: Lexicaliser) -> Iterator[tuple[Tree, Constituent, TaggedSentence]]:
    """Every tree that holds a word: cleaned, as constituents, and its tagged sentence."""
    for raw in trees:
        cleaned = clean(raw)
        root = lexicaliser.constituent(cleaned) if cleaned is not None else None
        if cleaned is not None and root is not None:
            yield cleaned, root, TaggedSentence.from_tree(cleaned)


def count_structure(trees: list[Tree], lexicaliser: Lexicaliser) -> None:
    """What the readings of sections 2 to 2.3 and of 2.7 touch."""
    seen: Counter[str] = Counter()
    for cleaned, root, sentence in lexicalised(trees, lexicaliser):
        tags = sentence.proper_tags
        analysis = analyse(root, tags)
        seen["trees"] += 1
        seen["words"] += len(tags)
        seen["brackets"] += sum(tag in (OPENING, CLOSING) for tag in tags)
        seen["tokens"] += len(sentence)
        seen["commas"] += sum(tag in COMMA_TAGS for tag in sentence.tags)
        seen["punctuation"] += sum(tag in PUNCTUATION_TAGS for tag in sentence.tags)
        for base in analysis.basenps:
            seen["baseNPs"] += 1
            seen["of one word"] += base.end - base.start == 1
            seen["with a possessive"] += any(label == "NP" for label, _, _ in base.inside)
            seen["with another phrase"] += any(label != "NP" for label, _, _ in base.inside)
        count_arrows(analysis, sentence, seen)
        count_commas(cleaned, seen)
        count_heads(cleaned, analysis, lexicaliser.rules, seen)
    share("brackets among words", seen["brackets"], seen["words"])
    share("quotes and final punctuation among tokens", seen["punctuation"] - seen["commas"], seen["tokens"])
    for name in ("of one word", "with a possessive", "with another phrase"):
        share(f"baseNPs {name}", seen[name], seen["baseNPs"])
    share("baseNPs whose brackets inside lead to another head", seen["other heads"], seen["baseNPs of the treebank"])
    share("heads after CC that move more than once", seen["moved again"], seen["moved"])
    for name in ("under NPX", "with X&", "of X& left of their head", "under X+"):
        share(f"arrows {name}", seen[name], seen["arrows"])
    share("arrows whose answers 5 or 6 would differ beside the words", seen["edges"], seen["arrows"])
    share("arrows with a modal but no verb between", seen["modals"], seen["arrows"])
    share("commas between children of the tree that obey the rule", seen["obeying"], seen["separating"])
    found = distances(trees, lexicaliser.rules)
    share("commas at joins that obey the rule", found.obeying, found.commas)


def count_arrows(analysis: Analysis, sentence: TaggedSentence, seen: Counter[str]) -> None:
    """What the readings touch among the arrows of one tree."""
    ruler = Ruler(sentence.proper_tags, sentence.commas, analysis.basenps)
    tags, reduced = sentence.proper_tags, analysis.reduced
    for arrow in analysis.dependencies:
        if not arrow.head:
            continue
        seen["arrows"] += 1
        seen["under NPX"] += arrow.relation.head == CORE
        seen["with X&"] += any(label.endswith(JOINED) for label in arrow.relation)
        seen["under X+"] += arrow.relation.head.endswith(STACKED)
        seen["of X& left of their head"] += arrow.relation.modifier.endswith(JOINED) and arrow.modifier < arrow.head
        modifier, head = reduced[arrow.modifier - 1], reduced[arrow.head - 1]
        distance = ruler.distance(modifier, head)
        answers = (distance.comma_after_first, distance.comma_before_second)
        seen["edges"] += answers != ruler.commas_beside_words(modifier, head)
        modal = any(tags[position] == MODAL for position in ruler.between(modifier, head))
        seen["modals"] += modal and not distance.verb_between


def count_heads(cleaned: Tree, analysis: Analysis, rules: HeadRules, seen: Counter[str]) -> None:
    """What finding heads over the words of baseNPs alone, and moving them over every CC, touches in one tree."""
    heads = {(base.start, base.end): base.head for base in analysis.basenps}

    def visit(node: Tree, start: int) -> tuple[int, int]:
        """One past the last word of a constituent, and its head by the rules through all brackets; −1 for no word."""
        if node.word is not None:
            return (start, -1) if node.label in PUNCTUATION_TAGS else (start + 1, start)
        at, labels, found = start, list[str](), list[int]()
        for child in node.children:
            at, head = visit(child, at)
            if head >= 0:
                labels.append(child.label)
                found.append(head)
        if not found:
            return at, -1
        chosen = rules.head_index(node.label, labels)
        if len(labels) > 1:
            distance = rules.deciding(node.label, labels)[1] - chosen
            seen["moved"] += distance > 0
            seen["moved again"] += distance > 2
        if node.label == BASE_LABEL and (start, at) in heads:
            seen["baseNPs of the treebank"] += 1
            seen["other heads"] += heads.pop((start, at)) != found[chosen]
        return at, found[chosen]

    visit(cleaned, 0)


def count_commas(cleaned: Tree, seen: Counter[str]) -> None:
    """The rule of section 2.7 read on the children of the treebank's constituents: ``Z -> <.. X Y ..>``."""
    leaves = [leaf.label for leaf in cleaned.leaves()]
    marks = [label in PUNCTUATION_TAGS for label in leaves]

    def visit(node: Tree, start: int) -> int:
        if node.word is not None:
            return start + 1
        comma, before, at = False, False, start
        for child in node.children:
            end = visit(child, at)
            if child.word is not None and marks[at]:
                comma |= leaves[at] in COMMA_TAGS
            elif not all(marks[at:end]):
                if comma and before:
                    after = end
                    while after < len(leaves) and marks[after] and leaves[after] not in COMMA_TAGS:
                        after += 1
                    seen["separating"] += 1
                    seen["obeying"] += after == len(leaves) or leaves[after] in COMMA_TAGS
                comma, before = False, True
            at = end
        return at

    visit(cleaned, 0)


def count_estimates(model: Model, trees: list[Tree]) -> None:
    """What the readings of sections 2.4 to 2.6 touch, in trees that the model has not seen."""
    seen: Counter[str] = Counter()
    basic, plain = Parser.preset(model, 1), Parser.preset(model, 3)
    for raw in trees:
        cleaned = clean(raw)
        if cleaned is None or model.lexicaliser.constituent(cleaned) is None:
            continue
        seen["trees"] += 1
        scored = basic.score(raw)
        for factor in scored.ledger:
            if factor.kind is FactorKind.GAP:
                seen["gaps"] += 1
                seen["to the comma"] += factor.used == ("comma",)
        causes = rule_impossibilities(model, basic.settings, scored.root, scored.sentence)
        seen["chains"] += any(one.cause is Cause.UNARY for one in causes)
        for factor in plain.score(raw).ledger:
            if factor.kind is FactorKind.DEPENDENCY:
                seen["arrows"] += 1
                seen["missing"] += factor.used in MISSING
    share("gaps that fall back to the comma", seen["to the comma"], seen["gaps"])
    share("gold trees with a unary chain never seen", seen["chains"], seen["trees"])
    share("arrows of gold trees with a level that does not exist (model 3)", seen["missing"], seen["arrows"])


def measure(what: str, model: Model, trees: list[Tree], settings: Settings, gold_tags: bool = True) -> None:
    """F1 of one setting, and how many sentences got fragments; without further back-off, which would repair some."""
    settings = replace(settings, further_backoff=False)
    measured = evaluate(Parser(model, settings), trees, (LENGTH,), gold_tags=gold_tags)
    summary = measured.summaries[LENGTH]
    print(
        f"{what}: LR {summary.labeled_recall:.2f} LP {summary.labeled_precision:.2f} F1 {summary.f1:.2f}, "
        f"{summary.sentences:,} sentences, {summary.failed:,} failed, "
        f"{measured.fallbacks[LENGTH]:,} fragments",
        flush=True,
    )


def measure_switches(model: Model, trees: list[Tree]) -> None:
    """F1 with and without what can be switched."""
    for rule in (False, True):
        measure(f"comma rule {rule}", model, trees, Settings.preset(2, punctuation_rule=rule))
    for factor in (1, 10, 20, 100, 1000):
        measure(f"tag factor {factor}", model, trees, Settings.preset(4, tag_factor=factor), gold_tags=False)
    measure("automatic tags, model (3)", model, trees, Settings.preset(3), gold_tags=False)
    for beam in (1000, 20, 3):
        for literal in (False, True):
            measure(f"β {beam} literal {literal}", model, trees, Settings.preset(3, beam=beam, literal_beam=literal))
    for lexical in (True, False):
        measure(f"words {lexical}", model, trees, Settings.preset(3, lexical=lexical))


def count_searches(model: Model, trees: list[Tree]) -> None:
    """How often the threshold was lowered and the beam widened."""
    seen: Counter[str] = Counter()
    parser = Parser.preset(model, 3, further_backoff=False)
    for _, _, sentence in lexicalised(trees, model.lexicaliser):
        if len(sentence) > LENGTH:
            continue
        parse = parser.parse(sentence)
        seen["sentences"] += 1
        widened = parse.beam > parser.settings.beam
        seen["lowered"] += parse.passes > 1 + widened and not parse.fallback
        seen["widened"] += widened and not parse.fallback
        seen["fragments"] += parse.fallback
    for name in ("lowered", "widened", "fragments"):
        share(f"sentences {name} (model 3)", seen[name], seen["sentences"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", metavar="TREEBANK", required=True, help="train on this, and count its structure")
    parser.add_argument("--test", metavar="TREEBANK", required=True, help="measure on this")
    parser.add_argument("--weighted", metavar="M", help="a model with weights, to measure their effect")
    chosen = parser.parse_args()
    training, test = list(read_treebank([chosen.train])), list(read_treebank([chosen.test]))
    print(f"Counted in {chosen.train}")
    count_structure(training, Lexicaliser(load_head_rules()))
    model = engine.train([chosen.train])
    print(f"Counted in {chosen.test}")
    share("trees with alternative labels", sum("|" in str(one) for one in test), len(test))
    count_estimates(model, test)
    count_searches(model, test)
    print(f"Measured on {chosen.test}, at most {LENGTH} tokens")
    measure_switches(model, test)
    if chosen.weighted:
        weighted = engine.load(chosen.weighted)
        for weights in (True, False):
            settings = Settings.preset(5, rerank=0, treebank_weights=weights)
            measure(f"weights {weights}", weighted, test, settings)


if __name__ == "__main__":
    main()
