"""Readers of text in the engine: trees, tagged and plain text, CoNLL-U, patterns, tables, head rules, questions."""

from __future__ import annotations

from functools import cache

from engine.chart.parser import Parser
from engine.common.errors import EngineError, TreeError
from engine.export.parse_json import json_line, json_object
from engine.patterns.forest import Forest
from engine.patterns.pattern import Pattern
from engine.structure.constituents import Lexicaliser
from engine.structure.dependencies import analyse
from engine.structure.tagged_sentence import TaggedSentence
from engine.study.browser import Browser
from engine.study.parseval import compared, is_evalb_table, parse_parameters, read_evalb_table, score_pair
from engine.text.conllu import ConlluSentence, conllu_lines, is_conllu, read_conllu
from engine.text.input import Conventions, input_sentences, line_kind, line_problems
from engine.text.tagged_text import sentences_of
from engine.text.tokeniser import split_sentences
from engine.training.train import train
from engine.trees.head_rules import load_head_rules, parse_head_rules
from engine.trees.reading import read_brackets, read_tree
from engine.trees.tree import Tree, clean
from tests.fuzz import grammar
from tests.fuzz.materials import CONLLU, PATTERNS, PROSE, TAGGED, TREES, prepared_model
from tests.fuzz.mutation import either, mutation
from tests.fuzz.target import Broken, Target, all_of, as_text

MOST_PARSED = 12
"""Words of a sentence that is parsed: what is wrong with a reader shows in short ones."""
_RULES = load_head_rules()
_EVALB = """DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
# a comment
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""
_TABLE = """  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    8    0  100.00 100.00     5      5    5      0      8     8   100.00
   2   12    0   50.00  66.67     4      8    6      1     12    11    91.67
============================================================================
                87.50  83.33      9     13   11      1     20    19    95.00
=== Summary ===

-- len<=40 --
"""
_TREES = either(grammar.brackets, mutation(TREES, "(NN a)", "(", ")", "-NONE-", "NP-SBJ", "\n("))


def read_trees(text: str) -> list[Tree]:
    """The trees of a text; the first broken one is refused after the others were read."""
    items = list(read_brackets(text, "trees.ptb"))
    if broken := next((item for item in items if isinstance(item, TreeError)), None):
        raise broken
    return [item for item in items if isinstance(item, Tree)]


def _trees(data: bytes) -> None:
    text = as_text(data)
    found = [item for item in read_brackets(text, "trees.ptb") if isinstance(item, Tree)]
    for tree in found[:20]:
        if read_tree(tree.brackets()).brackets() != tree.brackets() or read_tree(tree.pretty()) != tree:
            raise Broken("a tree that was written is not the one that was read")
        cleaned = clean(tree)
        score_pair(tree, cleaned)
        root = Lexicaliser(_RULES).constituent(cleaned) if cleaned is not None else None
        if cleaned is not None and root is not None:
            analyse(root, TaggedSentence.from_tree(cleaned).proper_tags)
    read_trees(text)


def _training(data: bytes) -> None:
    trees = read_trees(as_text(data))
    if sum(len(tree.words()) for tree in trees) < 200:
        model = train(trees[:20], name="fuzz")
        Parser.preset(model, 3).parse("the/DT dog/NN saw/VBD it/PRP")


def _tagged(data: bytes) -> None:
    model, text = prepared_model(), as_text(data)
    for conventions in (Conventions(), model.conventions):
        line_kind(text, conventions)
        for problem in line_problems(text, conventions):
            if not 0 <= problem.start <= problem.end <= len(text):
                raise Broken(f"a problem outside the text: {problem}")
    all_of(lambda: str(model.read_tagged(text)), lambda: str(TaggedSentence.parse(text)))


def _plain(data: bytes) -> None:
    text = as_text(data)
    for split_hyphens in (True, False):
        at = 0
        for token in (token for sentence in split_sentences(text, split_hyphens) for token in sentence):
            if not at <= token.start < token.end <= len(text) or not token.text or set("()") & set(token.text):
                raise Broken(f"{token} at {at}")
            at = token.end
    chunks = [text[at : at + 100] for at in range(0, len(text), 100)]
    for passage in sentences_of(chunks, most_tokens=20, window=300):
        if passage.line < 1 or not 1 <= len(passage.sentence.tokens) <= 20:
            raise Broken(f"{passage}")


def _tagging(data: bytes) -> None:
    for _, tagging in prepared_model().read_text(as_text(data)):
        for choices in tagging.choices:
            if not choices or not 0.0 <= sum(chance for _, chance in choices) <= 1.001:
                raise Broken(f"{choices}")


def _recognition(data: bytes) -> None:
    refused: list[EngineError] = []
    for conventions in (Conventions(), Conventions(has_tagger=True)):
        for sentence in input_sentences(as_text(data), conventions, "input.txt", refused.append):
            if not sentence.text or sentence.number < 1:
                raise Broken(f"{sentence}")
    if refused:
        raise refused[0]


def _parsing(data: bytes) -> None:
    text = " ".join(as_text(data).split()[:MOST_PARSED])[:400]
    for preset in (3, 5):
        # A new one each time: a parser keeps the room that its widest sentence took.
        parse = Parser.preset(prepared_model(), preset).parse(text, n_best=3)
        json_line(json_object(parse))


def _conllu(data: bytes) -> None:
    text = as_text(data)
    is_conllu(text)
    items = list(read_conllu(conllu_lines(text), "input.conllu"))
    for item in items:
        if isinstance(item, ConlluSentence):
            (again,) = read_conllu(conllu_lines(item.written()), "again")
            if not isinstance(again, ConlluSentence) or again.written() != item.written():
                raise Broken(f"what was read is not read again: {again}")
            str((item.words, item.tags, item.heads, item.tagged, item.text, item.tree, item.notation()))
    for item in items:
        if isinstance(item, EngineError):
            raise item


@cache
def _forest() -> Forest:
    return Forest.of(cleaned for text in TREES for tree in read_trees(text) if (cleaned := clean(tree)) is not None)


def _pattern(data: bytes) -> None:
    pattern = Pattern(as_text(data))
    for match in pattern.search(_forest(), _RULES):
        str((match.label, match.span, match.path, match.words))


def _question(data: bytes) -> None:
    for table in Browser(prepared_model()).find(as_text(data)).tables:
        str(table)


def _evalb_parameters(data: bytes) -> None:
    parameters = parse_parameters(as_text(data).split("\n"), "input.prm")
    tree = read_tree(TREES[0])
    score_pair(tree, tree, parameters)


def _evalb_table(data: bytes) -> None:
    text = as_text(data)
    is_evalb_table(text)
    table = read_evalb_table(text, "input.evalb")
    again = read_evalb_table(str(table), "again")
    compared(table, again)
    json_line(table.as_dict())


def _head_rules(data: bytes) -> None:
    rules = parse_head_rules(as_text(data), "rules.txt")
    for text in TREES:
        for tree in read_trees(text):
            if (cleaned := clean(tree)) is not None:
                Lexicaliser(rules).constituent(cleaned)


def _words(*texts: str) -> list[str]:
    return sorted({word for text in texts for word in text.split()})


TEXT_TARGETS: tuple[Target, ...] = (
    Target("trees", _TREES, _trees, examples=[text.encode() for text in TREES], weight=4),
    Target("training", _TREES, _training, prepare=prepared_model, batch=50, weight=0.05, seconds=4),
    Target(
        "tagged", either(grammar.tagged, mutation(TAGGED, "/", "\\/", "/NN", "/.")), _tagged, prepare=prepared_model
    ),
    Target("plain", mutation(PROSE, *_words(*PROSE), "-", "'s", "...", ". "), _plain, weight=3),
    Target("tagging", mutation(PROSE, *_words(*PROSE)), _tagging, prepare=prepared_model, weight=0.5),
    Target(
        "recognition",
        either(
            mutation((*TREES, *TAGGED, *PROSE, *CONLLU), "\n", "\t", "/NN", "(S (NN a))"),
            grammar.tagged,
            grammar.conllu,
        ),
        _recognition,
        weight=3,
    ),
    Target(
        "parsing",
        either(grammar.tagged, mutation((*TAGGED, *PROSE), "/NN", "/VBD", "saw")),
        _parsing,
        prepare=prepared_model,
        batch=200,
        weight=0.2,
        # Of two presets, each with all its passes, and the JSON of the three best of each.
        seconds=6.0,
        # Most of what a chart reserves it never touches.
        megabytes=4000,
    ),
    Target(
        "conllu",
        either(grammar.conllu, mutation(CONLLU, "\t", "\n", "_", "1-2", "1.1", "# tree = ")),
        _conllu,
        weight=2,
    ),
    Target(
        "pattern",
        either(grammar.pattern, mutation(PATTERNS, "<", ">", "<<", "$", "!", "=a", "/", "__", "|", "&", "NP", "dog")),
        _pattern,
        prepare=_forest,
        weight=2,
    ),
    Target(
        "question",
        mutation(("saw/VBD", "with saw", "<PP,VP,VBD>", "<PP,*,*>", "VBD"), "saw", "NN", "<", ">", ",", "*", "/", "->"),
        _question,
        prepare=prepared_model,
        weight=0.5,
        batch=500,
    ),
    Target("evalb-parameters", mutation((_EVALB,), *_words(_EVALB)), _evalb_parameters, weight=2),
    Target("evalb-table", mutation((_TABLE,), *_words(_TABLE)), _evalb_table, weight=2),
    Target(
        "head-rules",
        mutation((_RULES.text, "NP left NN NNS\n* right\n"), *_words("NP VP left right * S # NN")),
        _head_rules,
    ),
)
