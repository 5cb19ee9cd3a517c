"""``parse-engine`` on text: tags given, filled in or dropped, the command ``tag``, and input that is no sentence."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest

import engine
from engine import TaggedSentence, read_tree
from engine.chart.parser import Parser
from engine.model.model import Model
from engine.structure.tagged_sentence import MOST_WORDS
from engine.study.evaluation import Tagging, evaluate_sentence
from engine.tagger.tagger import TagDistribution
from engine.text.input import MOST_LINE_CHARACTERS
from engine.text.tagged_text import MOST_TOKENS
from tests.engine.command_runner import Cli

TEXT = 'The dog slept.  "Mary didn\'t see John,"\r\nthe teacher said.\r\n\r\nJohn left'


def tokens(tree: str) -> list[tuple[str, str]]:
    return [(leaf.word or "", leaf.label) for leaf in read_tree(tree).leaves()]


@pytest.fixture(scope="module")
def untagging_model(tmp_path_factory: pytest.TempPathFactory, classroom_treebank: Path) -> Path:
    """The file of a model without a tagger."""
    path = tmp_path_factory.mktemp("model") / "untagging.model"
    engine.train([classroom_treebank], tagger=False).save(path)
    return path


# --- parse --------------------------------------------------------------------------------------------------


def test_plain_text_is_split_tagged_and_parsed(
    cli: Cli, classroom: Model, classroom_model: Path, tmp_path: Path
) -> None:
    source = tmp_path / "text"
    source.write_bytes(TEXT.encode())
    ran = cli("parse", source, "--input", "text", "--model", classroom_model)
    assert (ran.status, ran.err) == (0, "")
    expected = [Parser.preset(classroom).parse(tags).tree.brackets() for _, tags in classroom.read_text(TEXT)]
    assert ran.lines == expected and len(expected) == 3
    assert [word for word, _ in tokens(ran.lines[1])] == [
        "``",
        "Mary",
        "did",
        "n't",
        "see",
        "John",
        ",",
        "''",
        "the",
        "teacher",
        "said",
        ".",
    ]


def test_json_says_where_each_token_stands_in_the_text(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    source = tmp_path / "text"
    source.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    ran = cli("parse", source, "--input", "text", "--format", "json", "--model", classroom_model)
    first, second, third = map(json.loads, ran.lines)
    assert first["text"] == "The dog slept." == TEXT[first["start"] : first["end"]]
    originals = [TEXT[start:end] for start, end in second["offsets"]]
    assert originals == ['"', "Mary", "did", "n't", "see", "John", ",", '"', "the", "teacher", "said", "."]
    assert third["start"] == TEXT.index("John left") and third["tree"].startswith("(S ")


def test_given_tags_are_kept_and_missing_ones_filled(cli: Cli, classroom_model: Path) -> None:
    ran = cli("parse", "--model", classroom_model, stdin="The dog/NNP saw Mary/NN.\nThe dog slept\n\n")
    assert ran.status == 0 and len(ran.lines) == 3 and ran.lines[2] == ""
    expected = [("The", "DT"), ("dog", "NNP"), ("saw", "VBD"), ("Mary", "NN"), (".", ".")]
    assert tokens(ran.lines[0]) == expected
    assert tokens(ran.lines[1]) == [("The", "DT"), ("dog", "NN"), ("slept", "VBD")]


@pytest.mark.parametrize(
    ("options", "preset", "distribution"),
    [
        ([], 5, True),
        (["--preset", "3"], 3, False),
        (["--preset", "4"], 4, True),
        (["--preset", "4", "--tags", "best"], 4, False),
        (["--preset", "2", "--tags", "distribution"], 2, True),
        (["--preset", "4", "--tag-factor", "1e6"], 4, True),
    ],
)
def test_where_missing_tags_come_from(
    cli: Cli, classroom: Model, classroom_model: Path, options: list[str], preset: int, distribution: bool
) -> None:
    line = "The saw left the telescope with a duck"
    changes = {"tag_factor": 1e6} if "--tag-factor" in options else {}
    parser = Parser.preset(classroom, preset, tag_distribution=distribution, **changes)
    expected = parser.parse(classroom.read_tagged(line))
    for input_ in ("tagged", "text"):
        ran = cli("parse", "--model", classroom_model, "--format", "json", "--input", input_, *options, stdin=line)
        found = json.loads(ran.out)
        assert found["log_probability"] == expected.log_probability
        assert found["tree"] == expected.tree.brackets()
        assert found["tags_considered"] == expected.tags_considered
        assert (found["tags_considered"] > len(found["words"])) == distribution


def test_the_tags_of_trees_are_kept_or_dropped(cli: Cli, classroom: Model, classroom_model: Path) -> None:
    tree = "(S (NP (NNP The) (NNP dog)) (VP (VBD slept)) (. .))\n"
    options = ["parse", "--input", "trees", "--model", classroom_model]
    for tags in ([], ["--tags", "gold"], ["--preset", "4"]):
        assert tokens(cli(*options, *tags, stdin=tree).out)[0] == ("The", "NNP")
    for automatic in ("best", "distribution"):
        assert tokens(cli(*options, "--tags", automatic, stdin=tree).out)[0] == ("The", "DT")


def test_text_has_no_gold_tags(cli: Cli, classroom_model: Path) -> None:
    ran = cli("parse", "--input", "text", "--tags", "gold", "--model", classroom_model, stdin=TEXT)
    assert ran.status == 2 and ran.out == "" and "plain text has no tags" in ran.err and ran.err.count("\n") == 1


def test_without_a_tagger(cli: Cli, untagging_model: Path, classroom_treebank: Path) -> None:
    for arguments in (
        ["parse", "--input", "text"],
        ["parse", "--input", "trees", "--tags", "best"],
        ["tag"],
        ["evaluate", classroom_treebank, "--tags", "distribution"],
    ):
        ran = cli(*arguments, "--model", untagging_model, stdin=TEXT)
        assert ran.status == 2 and ran.out == "" and "the model has no tagger" in ran.err
        assert ran.err.count("\n") == 1
    ran = cli("explain", "John left", "--model", untagging_model)
    assert ran.status == 2 and "the model has no tagger" in ran.err
    ran = cli("parse", "--model", untagging_model, stdin="John/NNP left/VBD\nJohn left/VBD\n")
    assert ran.status == 1 and [bool(line) for line in ran.lines] == [True, False]
    assert ran.err.startswith("parse-engine: error: standard input, line 2: the model has no tagger; ")
    assert cli("parse", "--tags", "gold", "--model", untagging_model, stdin="John/NNP left/VBD").status == 0


def test_a_tree_among_lines_is_noticed(cli: Cli, classroom_model: Path) -> None:
    ran = cli("parse", "--model", classroom_model, stdin="(S (NP (NNP John)) (VP (VBD left)))\n(John left)\n")
    assert ran.status == 1 and [bool(line) for line in ran.lines] == [False, True]
    assert "line 1: this is a bracketed tree, not a sentence; use --input trees" in ran.err


# --- input that is no sentence ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["parse", "--preset", "4"], ["parse"], ["tag"]])
@pytest.mark.parametrize(
    ("text", "sentences", "words"),
    [
        ("", 0, []),
        (" \n\t\r\n\u2028 ", 0, []),
        ("x" * 100_000, 1, ["x" * 100_000]),
        ("\x00\x01 a\x7f \x1b[31m", 1, ["a", "[", "31m"]),
        ("שלום עולם! مرحبا، كيف؟", 2, ["שלום", "עולם", "!", "مرحبا", "،", "كيف", "؟"]),
        ("今天很好。明天呢？", 2, ["今天很好", "。", "明天呢", "？"]),
        ("(((", 1, ["-LRB-", "-LRB-", "-LRB-"]),
        ("👩‍💻 😀!", 1, ["👩‍💻", "😀", "!"]),
    ],
    ids=["nothing", "blanks", "one long word", "control", "right to left", "Chinese", "brackets", "emoji"],
)
def test_any_text_has_an_answer(
    cli: Cli, classroom_model: Path, command: list[str], text: str, sentences: int, words: list[str]
) -> None:
    ran = cli(*command, "--input", "text", "--model", classroom_model, stdin=text)
    assert (ran.status, ran.err) == (0, "")
    assert len(ran.lines) == sentences
    if command == ["tag"]:
        found = [word for line in ran.lines for word in TaggedSentence.parse(line).words]
    else:
        found = [word for line in ran.lines for word, _ in tokens(line)]
    assert found == words


def test_a_text_without_sentences_is_cut(cli: Cli, classroom_model: Path) -> None:
    text = "The dog slept and " * (MOST_TOKENS // 2)
    ran = cli("parse", "--input", "text", "--model", classroom_model, stdin=text)
    assert ran.status == 0
    assert [len(tokens(line)) for line in ran.lines] == [MOST_TOKENS, MOST_TOKENS]


@pytest.mark.parametrize("options", [[], ["--tags", "gold"]])
def test_a_line_of_too_many_words_is_refused(cli: Cli, classroom_model: Path, options: list[str]) -> None:
    fits = "The/DT dog/NN slept/VBD and/CC ,/, " * (MOST_WORDS // 4)
    quick = ("--preset", 3, "--beam", 3)
    ran = cli("parse", "--model", classroom_model, *quick, *options, stdin=f"{fits} so/RB\n{fits}\n")
    assert ran.status == 1 and [bool(line) for line in ran.lines] == [False, True]
    assert (
        f"line 1: a sentence of {MOST_WORDS + 1} words is too long: the limit is {MOST_WORDS}; cut it in two" in ran.err
    )


def test_trees_of_too_many_words_are_refused(cli: Cli, classroom_model: Path) -> None:
    tree = f"(S {'(NN dog) ' * (MOST_WORDS + 1)})"
    ran = cli("parse", "--input", "trees", "--model", classroom_model, stdin=tree)
    assert ran.status == 1 and ran.lines == [""] and "too long" in ran.err


@pytest.mark.parametrize("command", [["parse"], ["parse", "--tags", "gold"], ["tag", "--input", "tokens"]])
def test_ten_megabytes_in_one_line_are_refused_at_once(cli: Cli, classroom_model: Path, command: list[str]) -> None:
    started = time.process_time()
    text = "John/NNP left/VBD\n" + "dog/NN " * 1_500_000 + "\nMary/NNP left/VBD"
    ran = cli(*command, "--model", classroom_model, stdin=text)
    assert ran.status == 1 and [bool(line) for line in ran.lines] == [True, False, True]
    assert f"line 2: the line has more than {MOST_LINE_CHARACTERS:,} characters" in ran.err
    assert time.process_time() - started < 30


def test_a_line_just_short_enough(cli: Cli, classroom_model: Path) -> None:
    line = "x" * (MOST_LINE_CHARACTERS - 3) + "/NN"
    for end, status in (("\n", 0), ("", 0), ("/NN\n", 1), ("/NN", 1)):
        assert cli("parse", "--model", classroom_model, stdin=line + end).status == status


def test_too_many_tokens_to_tag_are_refused(cli: Cli, classroom_model: Path) -> None:
    ran = cli("tag", "--input", "tokens", "--model", classroom_model, stdin="a " * 10_001 + "\nJohn left\n")
    assert ran.status == 1 and ran.lines == ["", "John/NNP left/VBD"]
    assert "a sentence of 10,001 tokens is too long: the limit is 10,000" in ran.err


def test_bytes_that_are_no_text_are_marked(cli: Cli, classroom_model: Path) -> None:
    ran = cli("parse", "--input", "text", "--model", classroom_model, stdin=b"The dog slept.\n\nA caf\xe9 left.\n")
    assert ran.status == 1 and len(ran.lines) == 2
    assert [word for word, _ in tokens(ran.lines[1])] == ["A", "caf", "\ufffd", "left", "."]
    assert ran.err.startswith(
        "parse-engine: error: standard input, line 3: the sentence holds bytes that are not UTF-8"
    )


# --- tag ----------------------------------------------------------------------------------------------------


def test_tagged_text_is_what_parse_reads(cli: Cli, classroom_model: Path) -> None:
    ran = cli("tag", "--model", classroom_model, stdin="The dog didn't see 1/2 of it. (John left.)")
    assert (ran.status, ran.err) == (0, "")
    first, second = map(TaggedSentence.parse, ran.lines)
    assert first.words == ("The", "dog", "did", "n't", "see", "1/2", "of", "it", ".")
    assert second.words == ("-LRB-", "John", "left", ".", "-RRB-")
    for tags in ("gold", "best"):
        parsed = cli("parse", "--model", classroom_model, "--tags", tags, stdin=ran.out)
        assert parsed.status == 0
        assert tokens(parsed.lines[0]) == list(zip(first.words, first.tags, strict=True))


def test_tokens_are_taken_as_they_stand(cli: Cli, classroom_model: Path) -> None:
    ran = cli("tag", "--input", "tokens", "--model", classroom_model, stdin="The dog/NN didn't (\\/) sleep .\n\nJohn\n")
    assert ran.status == 0 and len(ran.lines) == 3 and ran.lines[1] == ""
    expected = ("The", "dog/NN", "didn't", "-LRB-\\/-RRB-", "sleep", ".")
    assert TaggedSentence.parse(ran.lines[0]).words == expected


def test_tags_that_are_there_are_kept(cli: Cli, classroom_model: Path) -> None:
    ran = cli("tag", "--input", "tagged", "--model", classroom_model, stdin="The dog/JJ slept.\nThe/XY dog/ZZ\n")
    assert ran.lines == ["The/DT dog/JJ slept/VBD ./.", "The/XY dog/ZZ"]


def test_probabilities_as_a_table_and_as_json(cli: Cli, classroom: Model, classroom_model: Path) -> None:
    text = "The dog slept. John/NNP left."
    expected = [classroom.tag(["The", "dog", "slept", "."]).choices, classroom.read_text(text)[1][1].choices]
    table = cli("tag", "--probabilities", "--all", "--model", classroom_model, stdin=text).out
    blocks = table.removesuffix("\n\n").split("\n\n")
    assert len(blocks) == 2
    for block, choices in zip(blocks, expected, strict=True):
        for row, own in zip(block.split("\n"), choices, strict=True):
            cells = row.split("\t")
            shown = [(cell.split()[0], float(cell.split()[1])) for cell in cells[2:]]
            assert shown == [(tag, float(f"{chance:.4f}")) for tag, chance in own if chance >= 0.00005]
    brief = cli("tag", "--probabilities", "--model", classroom_model, stdin=text).out
    summed = 0
    for row, own in zip(filter(None, brief.split("\n")), chain.from_iterable(expected), strict=True):
        cells = row.split("\t")[2:]
        likely = [f"{tag} {chance:.4f}" for tag, chance in own if chance >= 0.01]
        others = [chance for _, chance in own if 0.00005 <= chance < 0.01]
        assert cells == likely + ([f"+{len(others)} {sum(others):.4f}"] if others else [])
        summed += len(others)
    assert summed > 0
    assert cli("tag", "--all", "--model", classroom_model, stdin=text).status == 2
    found = list(map(json.loads, cli("tag", "--json", "--model", classroom_model, stdin=text).lines))
    for one, choices in zip(found, expected, strict=True):
        assert [token["probabilities"] for token in one["tokens"]] == [
            {tag: chance for tag, chance in own if chance >= 0.00005} for own in choices
        ]
        assert [token["word"] for token in one["tokens"]] and not any(token["given"] for token in one["tokens"])
        assert one["text"] == text[one["start"] : one["end"]] and len(one["offsets"]) == len(one["tokens"])
    given = json.loads(cli("tag", "--json", "--input", "tagged", "--model", classroom_model, stdin="a dog/JJ").out)
    assert [token["given"] for token in given["tokens"]] == [False, True] and "text" not in given
    assert given["tokens"][1]["probabilities"] == {"JJ": 1.0}


# --- evaluate and explain -----------------------------------------------------------------------------------


def test_evaluate_with_automatic_tags_says_how_good_they_are(
    cli: Cli, classroom_treebank: Path, classroom_model: Path
) -> None:
    options = ["evaluate", classroom_treebank, "--model", classroom_model]
    for tags in ("best", "distribution"):
        found = json.loads(cli(*options, "--tags", tags, "--json").out)
        assert found["tags"] == tags and found["settings"]["tag_distribution"] == (tags == "distribution")
        tagging = found["lengths"]["40"]["tagging"]
        assert tagging["tokens"] == 1150 and 95 < tagging["tagger_accuracy"] <= 100
        assert (tags == "distribution") or tagging["parser_accuracy"] == tagging["tagger_accuracy"]
    shown = cli(*options, "--tags", "best").out
    assert f"{tagging['tagger_accuracy']:.2f} % of 1,150 tokens (<=40) tagged right by the tagger" in shown
    gold = cli(*options, "--preset", "4")
    assert "by the tagger" not in gold.out and "100.0%" in gold.out
    assert "tagging" not in json.loads(cli(*options, "--json").out)["lengths"]["40"]


def test_tags_that_disagree_on_punctuation_do_not_shift_the_words(
    classroom: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = read_tree("(S (`` ``) (NP (NNP John)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))")
    parser = Parser.preset(classroom, 3)
    right = evaluate_sentence(parser, gold)
    assert right.attachments == (3, 3) and right.score is not None and right.score.complete and right.tagging is None

    def mistagged(words: Sequence[str], given: object = None) -> TagDistribution:
        # The quote passes for a name: [`` John] is one baseNP with the head John.
        tags = ["NNP", "NNP", "VBD", "DT", "NN", "."]
        return TagDistribution(TaggedSentence(words, tags), tuple(((tag, 1.0),) for tag in tags))

    monkeypatch.setattr(classroom, "tag", mistagged)
    found = evaluate_sentence(parser, gold, gold_tags=False)
    assert found.tree == "(S (NP (NNP ``) (NNP John)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))"
    assert found.tagging == Tagging(6, 5, 5)
    assert found.attachments == (3, 3)
    assert found.score == right.score


def test_explain_of_plain_text_shows_the_tags(cli: Cli, classroom: Model, classroom_model: Path) -> None:
    ran = cli("explain", "The dog/NN didn't see John.", "--model", classroom_model, "--preset", "4")
    assert (ran.status, ran.err) == (0, "")
    distribution = classroom.read_tagged("The dog/NN didn't see John.")
    parse = Parser.preset(classroom, 4).parse(distribution)
    assert parse.tree.pretty() in ran.out and parse.ledger().table(brief=True) in ran.out
    assert "P(t|S)" in ran.out and "given" in ran.out
    assert f"{parse.tags_considered} tags considered for 6 words" in ran.out
    tagged = cli("explain", "John/NNP left/VBD", "--model", classroom_model)
    assert tagged.status == 0 and "P(t|S)" not in tagged.out


def test_explain_of_plain_text_with_a_gold_tree(cli: Cli, classroom: Model, classroom_model: Path) -> None:
    gold = "(S (`` \") (NP (NNP John)) ('' \") (VP (VBD saw) (NP (NNP Mary))) (. .))"
    ran = cli("explain", '"John" saw Mary.', "--gold", gold, "--model", classroom_model, "--preset", "4")
    assert (ran.status, ran.err) == (0, "")
    distribution = classroom.read_tagged('"John" saw Mary.')
    assert isinstance(distribution, TagDistribution)
    scored = Parser.preset(classroom, 4).score(read_tree(gold), distribution)
    # Printed once, as the parse's.
    assert ran.out.count(scored.ledger.table(brief=True)) == 1 and "the same as the parse's" in ran.out
