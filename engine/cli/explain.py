"""``parse-engine explain``: all the working behind one parse, and how a gold tree would have scored."""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import TYPE_CHECKING

from engine.chart.parse import Parse, Scored
from engine.chart.parser import Parser
from engine.cli.explanation_sections import CHOICE_WIDTH, difference_table, filled, ledger_table, score_text, section
from engine.cli.options import SUCCESS, Commands, add_model, add_settings, command, load_model, settings_of, whole
from engine.common.errors import EngineError
from engine.common.numbers import chance, number
from engine.common.tables import text_table
from engine.common.terminal import Console
from engine.counts.contexts import QUESTIONS, distance_answers
from engine.estimates.counts_remark import second_model_remark
from engine.estimates.ledger import BRIEF_FEATURES, ELLIPSIS, ROOT, DependencyProbabilities, Factor, align
from engine.structure.dependencies import GAP_LETTERS
from engine.structure.tagged_sentence import TaggedSentence
from engine.tagger.tagger import TagDistribution
from engine.text.input import MOST_LINE_CHARACTERS
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean, compared_word

if TYPE_CHECKING:
    from engine.study.errors import ParseError
    from engine.study.verdicts import Verdict


# The gold tree that goes with a sentence of the terminal: its score, and the verdict on the parse.

# What compares is imported when it is asked for: without a gold tree a command starts without it.


def score_gold(parser: Parser, text: str, sentence: TaggedSentence, distribution: TagDistribution | None) -> Scored:
    """Score a gold tree in brackets; raise :class:`EngineError` if it is one of another sentence."""
    tree = read_tree(text)
    cleaned = clean(tree)
    gold = TaggedSentence.from_tree(cleaned) if cleaned is not None else TaggedSentence((), ())
    if list(map(compared_word, gold.words)) != list(map(compared_word, sentence.words)):
        raise EngineError(
            "the words of the gold tree are not those of the sentence; give the tree of this very sentence"
        )
    if gold.positions != sentence.positions:
        raise EngineError(
            "the gold tree tags other tokens as punctuation than the sentence does; give them their tags as word/TAG"
        )
    return parser.score(tree, distribution)


def judged_by(
    parser: Parser, tree: Tree, parse: Parse, sentence: TaggedSentence | TagDistribution
) -> tuple[Verdict, list[ParseError]] | None:
    """Return what is to blame for a wrong parse, and what it got wrong; ``None`` where its
    words are written otherwise.
    """
    from engine.study.errors import classify_errors
    from engine.study.verdicts import verdict

    cleaned = clean(tree)
    if cleaned is None or tuple(cleaned.words()) != parse.sentence.words:
        # Treebank and tokeniser write a quote in two ways.
        return None
    return verdict(parser, tree, parse, sentence=sentence), classify_errors(parse.tree, tree)


# ``parse-engine explain``: all the working behind one parse, and how a gold tree would have scored.

# What compares is imported when it is asked for: without a gold tree the command starts without it.

_SHOWN_CHANCE = 0.001
BRIEF_ALTERNATIVES, BRIEF_WEIGHTS = 3, 2
"""How many other heads and relations of a word, and λ of each, are listed; the paper's own λ are two."""
LISTED = 10
"""How many of the best parses a headline is told from: as many as the window shows."""
BRIEF_VOTES = 3
"""How many constituents that the parse has not are named with their shares of the vote."""
_OTHER, _NOT_THE_ROOT = "  or", "  if not"
"""Before what else a word could modify, and what the head of the sentence could if it were not that."""
_NO_BREAK = "\u00a0"
_ABOUT_THE_ROOT = "(equation (8) sums over words: for the head of the sentence F̂ itself is the probability)"
_OTHERS_LEFT_OUT = "(only the most probable others: --all lists every head and relation, and every λ)"

_DETAILS = """\
The sentence may be plain text, or have tags on some or all of its words (saw/VBD the man with/IN a telescope): given
tags are kept, and the model's tagger fills in the others.  First the answer in words: how sure the parse is, what is
least sure in it, and why.  Then the tags, the parse, the gap tags with the five probabilities of each gap (section
2.5), the reduced sentence, B and D as in Figure 1 (d), the dependencies with what else they could be, their distances
Δ (2.3), and the ledger: every factor of the score with its counts η/δ.  Each dependency, and the best other heads and
relations of its modifier, has F̂ with λ1 or λ2 (2.4; in preset 5 the λ of each level) and the probability of equation
(8): F̂ divided by its sum over all heads and relations of the modifier.  Their product, P(D|S,B), stands under the
parse.  Where parses are re-ranked the ledger goes on with the second model, whose decisions --all lists one by one,
and with the features; where they are chosen by expected F1 every constituent has its share of the vote.  With --gold
the verdict comes first, what is to blame and why (see `compare`); then also what the parse got wrong, whether and why
the parser could never have built the gold tree, its ledger, and where the two differ.

With --tree any tree is explained, another parser's or your own, in place of the parse: what our model gives it, why our
parser has another one, what each of its arrows would cost, its ledger, and where it differs from our parse; with --gold
also its errors, and whether our model prefers it to the gold tree.  Without a sentence the tree's words and tags are
parsed."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "explain", run, "Show all the working behind the parse of one sentence", _DETAILS)
    parser.add_argument(
        "sentence", nargs="?", metavar='"w/T w w ..."', help="the sentence, its words with or without tags"
    )
    add_model(parser)
    parser.add_argument("--gold", metavar="TREE", help="the right tree, in brackets")
    trees = parser.add_mutually_exclusive_group()
    trees.add_argument("--tree", metavar="TREE", help="explain this tree, in brackets, instead of the parse")
    trees.add_argument("--tree-file", metavar="FILE", help="explain a tree of this file, which has one tree a line")
    parser.add_argument("--line", type=whole(1), default=1, metavar="N", help="which line of --tree-file (default 1)")
    parser.add_argument(
        "--all",
        action="store_true",
        help="tell every attachment in words; list every decision of the second model, every feature of the re-ranker, "
        f"not the {BRIEF_FEATURES} weightiest, every other head and relation of a word, not the {BRIEF_ALTERNATIVES} "
        "most probable, and the counts and λ of every level",
    )
    add_settings(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Parse and explain."""
    settings = settings_of(arguments)
    given = arguments.tree is not None or arguments.tree_file is not None
    if arguments.sentence is None and not given:
        raise EngineError("there is nothing to explain; give a sentence, or a tree with --tree")
    model = load_model(arguments)
    if len(arguments.sentence or "") > MOST_LINE_CHARACTERS:
        raise EngineError(f"the sentence has more than {MOST_LINE_CHARACTERS:,} characters; shorten it")
    parser = Parser(model, settings)
    if given:
        from engine.cli.tree_explanation import tree_explanation

        print(tree_explanation(parser, arguments))
        return SUCCESS
    sentence = parser.prepare(arguments.sentence)
    distribution = sentence if isinstance(sentence, TagDistribution) else None
    tagged = sentence.sentence if isinstance(sentence, TagDistribution) else sentence
    if not tagged.positions:
        raise EngineError("the sentence has no words to parse; give at least one that is not punctuation")
    for token in model.unknown_tags(sentence):
        console.warning(f"the model does not know the tag {tagged.tags[token]} (of `{tagged.words[token]}`)")
    gold = score_gold(parser, arguments.gold, tagged, distribution) if arguments.gold is not None else None
    # The headlines tell what decided for this parse against the others of the list.
    parse = parser.parse(sentence, n_best=LISTED)
    ledger, probabilities = parse.ledger(), parse.dependency_probabilities()
    judged = judged_by(parser, read_tree(arguments.gold), parse, sentence) if gold is not None else None
    sections = [
        _in_words(parse, arguments.all, judged),
        *([section("Tags", _tags(parse, distribution))] if distribution is not None else []),
        section("Parse", _about(parse, probabilities)),
        *([section("Vote", _votes(parser, sentence, parse))] if parse.votes is not None else []),
        section("Gaps", _gaps(parse)),
        section("Reduced sentence", _reduced(parse)),
        section("B and D", _sets(parse)),
        section("Dependencies", _dependencies(parse, probabilities, arguments.all)),
        section("Distances", _distances(parse, probabilities)),
        section("Ledger", ledger_table(ledger, arguments.all)),
    ]
    if gold is not None:
        # Its ledger is held against the parse's, so it is by the same estimates.
        alike = gold
        if parse.further_backoff:
            alike = parser.score(read_tree(arguments.gold), distribution, parse.further_backoff)
        sections += [
            section("Gold tree", _about_gold(parse, gold, alike)),
            *_errors(judged),
        ]
        if align(ledger, alike.ledger)[0]:
            sections += [
                section("Ledger of the gold tree", ledger_table(alike.ledger, arguments.all)),
                section(
                    "Difference (parse − gold)",
                    difference_table(ledger, alike.ledger, arguments.all, ("parse", "gold")),
                ),
            ]
        else:
            same = "the same as the parse's, factor by factor"
            sections.append(section("Ledger of the gold tree", same))
    print("\n\n".join(sections))
    return SUCCESS


def _in_words(parse: Parse, everything: bool, judged: tuple[Verdict, list[ParseError]] | None) -> str:
    """Return the answer first: the verdict, the headline of the parse, then those of what is least sure,
    or of all arrows.
    """
    from engine.explain.context import ParseContext
    from engine.explain.parses import least_sure
    from engine.explain.registry import headline_of
    from engine.explain.subjects import ArrowId
    from engine.explain.verdicts import verdict_headline

    context = ParseContext(parse)
    answers = [verdict_headline(judged[0])] if judged is not None else []
    answers.append(headline_of(context, None))
    answers += [headline_of(context, ArrowId(word)) for word in parse.heads()] if everything else least_sure(context)
    return "\n\n".join("\n".join(filled(line) for line in answer.text.splitlines()) for answer in answers)


def _tags(parse: Parse, distribution: TagDistribution) -> str:
    """Return every token with the tag that it has in the parse, and what the tagger held possible."""
    rows = []
    for token, (word, tag) in enumerate(zip(parse.sentence.words, parse.sentence.tags, strict=True)):
        choices = distribution.choices[token]
        shown = [f"{one} {chance:.4f}" for one, chance in choices if chance >= _SHOWN_CHANCE]
        rows.append((word, tag, "given" if token in distribution.given else "  ".join(shown)))
    table = text_table(("word", "tag", "P(t|S)"), rows)
    return f"{table}\n{parse.tags_considered} tags considered for {len(parse.sentence.positions)} words"


def _votes(parser: Parser, sentence: TaggedSentence | TagDistribution, parse: Parse) -> str:
    """Return what every constituent got of the vote, and why the highest score did not win, if it did not."""
    from engine.common.numbers import percent, share_text
    from engine.study.vote_shares import bracket_text, highest_scored, strongest_others, voted_choice, votes_of

    assert parse.votes is not None
    words = parse.sentence.proper_words
    rows = []
    for vote in votes_of(parse):
        rival = ""
        if vote.rival is not None and vote.rival_share > 0:
            rival = f"{bracket_text(vote.rival, words)} {share_text(vote.rival_share)}"
        rows.append((bracket_text(vote.bracket, words), share_text(vote.share), rival))
    lines = [
        f"expected F1 {percent(parse.expected_f1)} over a list of {parse.votes.voters}",
        text_table(("constituent", "share", "strongest rival that crosses it"), rows, right=(1,)),
    ]
    others = [f"{bracket_text(one, words)} {share_text(share)}" for one, share in strongest_others(parse, BRIEF_VOTES)]
    if others:
        lines.append(f"of others most: {', '.join(others)}")
    highest = highest_scored(parser, sentence, parse)
    if highest is not None:
        lines.append(fill(voted_choice(parse, highest).text, CHOICE_WIDTH))
    return "\n".join(lines)


def _about(parse: Parse, probabilities: DependencyProbabilities) -> str:
    from engine.explain.parses import how_found

    second_model = bool(parse.ledger().second_model)
    score = score_text(parse.log_probability, parse.score, second_model)
    lines = [parse.tree.pretty(), f"{score}, found in pass {parse.passes}"]
    if (log := probabilities.log_probability) is not None:
        lines.append(f"log P(D|S,B) {number(log)}: the dependencies alone, as equation (8) normalises them")
    if found := how_found(parse):
        lines.append(found)
    if parse.counts_remark:
        lines.append(parse.counts_remark)
    if second_model and not parse.settings.treebank_weights and (remark := second_model_remark(parse.model)):
        lines.append(remark)
    return "\n".join(lines)


def _about_gold(parse: Parse, gold: Scored, alike: Scored) -> str:
    from engine.explain.verdicts import contrast_of

    second = bool(gold.ledger.second_model)
    score = score_text(gold.log_probability, gold.score, second)
    text = f"{score}; {'the parser could build it' if gold.possible else 'impossible'}"
    if not gold.possible:
        text += f"\n{filled(contrast_of(parse, gold).obstacle(gold.impossibilities[0]))}"
    if alike.further_backoff:
        further = score_text(alike.log_probability, alike.score, second)
        text += f"\nwith further back-off, as the parse: {further}"
    return text


def _errors(judged: tuple[Verdict, list[ParseError]] | None) -> list[str]:
    from engine.explain.verdicts import error_description

    wrong = [f"- {error.kind}: {error_description(error)}" for error in judged[1]] if judged is not None else []
    return [section("Errors", "\n".join(wrong))] if wrong else []


def _gaps(parse: Parse) -> str:
    """Return every gap with the tag chosen and P̂ of all five."""
    words, commas = parse.sentence.proper_words, parse.sentence.commas
    if len(words) < 2:
        return "(a sentence of one word has no gap)"
    explainer = parse.explainer()
    rows = []
    for position, tag in enumerate(parse.gap_tags, 1):
        chances = explainer.gap_distribution(position)
        comma = "," if commas[position] else ""
        rows.append(
            (
                words[position - 1],
                tag,
                comma,
                words[position],
                *(_probability(chances[letter]) for letter in GAP_LETTERS),
            )
        )
    header = ("left", "tag", "comma", "right", *(f"P({letter})" for letter in GAP_LETTERS))
    return text_table(header, rows, right=range(4, 4 + len(GAP_LETTERS)))


def _probability(value: float) -> str:
    """Return a probability with four decimals; what would round to zero is told from zero."""
    return "≈ 0" if 0 < value < 0.00005 else "0" if not value else f"{value:.4f}"


def _reduced(parse: Parse) -> str:
    """S̄: its words, numbered as in AF(j), with the baseNPs they stand for."""
    words, tags = parse.sentence.proper_words, parse.sentence.proper_tags
    bases = {base.head: base for base in parse.basenps}
    rows = []
    for place, position in enumerate(parse.reduced, 1):
        base = bases.get(position)
        inside = f"[{' '.join(words[base.start : base.end])}]" if base is not None else ""
        rows.append((str(place), f"{words[position]}/{tags[position]}", inside))
    return text_table(("j", "word", "baseNP"), rows, right=(0,))


def _sets(parse: Parse) -> str:
    """T = (B, D) as in the paper's Figure 1 (d): the set of baseNPs, and AF(1) ... AF(m)."""
    words = parse.sentence.proper_words
    bases = [f"[{' '.join(words[base.start : base.end])}]" for base in parse.basenps]
    arrows = [f"AF({arrow.modifier}) = ({arrow.head}, {arrow.relation})" for arrow in parse.dependencies]
    lines = []
    for name, of in (("B", bases), ("D", arrows)):
        # No line ends within one of them.
        kept = ", ".join(one.replace(" ", _NO_BREAK) for one in of)
        lines.append(fill(f"{name} = {{{kept}}}", CHOICE_WIDTH, subsequent_indent="  ", break_on_hyphens=False))
    return "\n".join(lines).replace(_NO_BREAK, " ")


def _dependencies(parse: Parse, probabilities: DependencyProbabilities, everything: bool) -> str:
    """AF(j) of every reduced word, and what else the word could modify: F̂, equation (8)'s probability and λ."""
    explainer = parse.explainer()
    rows: list[tuple[str, ...]] = []
    left_out = False
    for one in probabilities:
        numbers = _numbers(one.factor, one.probability, everything)
        rows.append((_numbered(parse, one.modifier), _numbered(parse, one.head), str(one.relation), *numbers))
        others = one.alternatives if everything else one.alternatives[:BRIEF_ALTERNATIVES]
        left_out |= len(others) < len(one.alternatives)
        or_else = _OTHER if one.head != ROOT else _NOT_THE_ROOT
        for other in others:
            factor = explainer.dependency(one.modifier, other.head, other.relation, other.distance)
            numbers = _numbers(factor, other.probability, everything)
            rows.append((or_else, _numbered(parse, other.head), str(other.relation), *numbers))
    header = ("modifier", "head", "relation", "F̂", "log F̂", "P of eq. (8)", "λ")
    lines = [text_table(header, rows, right=(3, 4, 5))]
    if not parse.fallback:
        lines.append(_ABOUT_THE_ROOT)
    return "\n".join([*lines, _OTHERS_LEFT_OUT] if left_out else lines)


def _numbers(factor: Factor | None, probability: float | None, everything: bool) -> tuple[str, ...]:
    """F̂, its logarithm, the probability of equation (8) and λ of the levels that F̂ mixes, each by its name."""
    if factor is None or probability is None:
        return "", "", "", ""
    weights = [f"{weight.name} {_share(weight.value)}" for weight in factor.weights]
    if not everything and len(weights) > BRIEF_WEIGHTS:
        weights[BRIEF_WEIGHTS:] = [ELLIPSIS]
    return chance(factor.probability), number(factor.log), chance(probability), "  ".join(weights)


def _share(weight: float) -> str:
    """λ with four decimals; it is never 1."""
    return f"{weight:.4f}" if weight < 0.99995 else ">0.9999"


def _numbered(parse: Parse, position: int) -> str:
    """Return a word of the reduced sentence with its number, which is the j of AF(j)."""
    if position == ROOT:
        return "0 (root)"
    return f"{parse.reduced.index(position) + 1} {parse.sentence.proper_words[position]}"


def _distances(parse: Parse, probabilities: DependencyProbabilities) -> str:
    """Δ of every dependency: the answers to the six questions of section 2.3."""
    rows = [
        (_numbered(parse, one.modifier), _numbered(parse, one.head), *distance_answers(one.factor.distance.code))
        for one in probabilities
        if one.factor is not None and one.factor.distance is not None
    ]
    return text_table(("modifier", "head", *QUESTIONS), rows) if rows else "(no word modifies another)"
