"""``parse-engine``: every command, what bad input gets for an answer, and exit statuses."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import engine
from engine import TaggedSentence, read_tree
from engine.chart.parser import Parser
from engine.explain.verdicts import verdict_headline
from engine.model.model import Model
from engine.study.verdicts import verdict
from engine.trees.tree import clean
from tests.engine.command_runner import Cli

JOHN = "John/NNP saw/VBD a/DT dog/NN with/IN the/DT telescope/NN ./."
HIGH = (
    "(S (NP (NNP John)) (VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
)  # fmt: skip


def tokens(tree: str) -> list[tuple[str, str]]:
    return [(leaf.word or "", leaf.label) for leaf in read_tree(tree).leaves()]


# --- train and info -----------------------------------------------------------------------------------------


def test_train_says_what_it_used_and_info_what_is_in_the_model(
    cli: Cli, tmp_path: Path, classroom_treebank: Path
) -> None:
    model = tmp_path / "m.model"
    ran = cli("train", classroom_treebank, "-o", model, "--credit", "by us", "--credit", "and you")
    assert (ran.status, ran.err) == (0, "")
    assert "130 used of 130 trees" in ran.out and "skipped     0" in ran.out
    assert "978 (236 different)" in ran.out and " s, " in ran.out
    shown = cli("info", model)
    assert (shown.status, shown.err) == (0, "")
    for text in ("classroom.ptb", "by us", "and you", "sentences   130", "format 3", "triples", "tags", "contexts"):
        assert text in shown.out
    assert str(tmp_path) not in shown.out
    for out in (ran.out, shown.out):
        assert "tagger      39 tags, " in out and "from 1,150 tokens" in out


def test_train_without_a_tagger(cli: Cli, tmp_path: Path, classroom_treebank: Path) -> None:
    model = tmp_path / "m.model"
    ran = cli("train", classroom_treebank, "-o", model, "--no-tagger")
    assert (ran.status, ran.err) == (0, "")
    for out in (ran.out, cli("info", model).out):
        assert "tagger      none (left out)" in out


def test_train_with_and_without_skip_bad(cli: Cli, tmp_path: Path, classroom_treebank: Path) -> None:
    broken = tmp_path / "broken.ptb"
    broken.write_text("(S (NN a)))\n(S (NN b) c)\n(S (NN d)))\n(S (-NONE- *))\n")
    model = tmp_path / "m.model"
    ran = cli("train", classroom_treebank, broken, "-o", model)
    assert ran.status == 2 and not model.exists()
    assert ran.err == f"parse-engine: error: {broken}, line 1, column 11: a ) that closes nothing\n"
    ran = cli("train", classroom_treebank, broken, "-o", model, "--skip-bad")
    assert ran.status == 1 and model.exists()
    assert "2 × a ) that closes nothing" in ran.out and "1 × nothing but traces and punctuation" in ran.out
    assert "the word 'c' stands inside (S …) without a tag" in ran.out
    assert f"first: {broken}, line 1, column 11" in ran.out


def test_train_reads_standard_input_gzip_and_folders(cli: Cli, tmp_path: Path, classroom_treebank: Path) -> None:
    data = classroom_treebank.read_bytes()
    folder = tmp_path / "bank"
    folder.mkdir()
    (folder / "a.mrg.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")))
    written = []
    corpora = []
    for number, (source, stdin) in enumerate([(classroom_treebank, b""), ("-", data), (folder, b"")]):
        model = tmp_path / f"{number}.model"
        assert cli("train", source, "-o", model, "--no-record", stdin=stdin).status == 0
        loaded = engine.load(model)
        corpora += loaded.metadata.pop("corpora")
        loaded.save(tmp_path / "nameless.model")
        written.append((tmp_path / "nameless.model").read_bytes())
    assert corpora == ["classroom.ptb", "standard input", "bank"]
    assert written[0] == written[1] == written[2]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("missing.ptb", "missing.ptb: there is no such file or folder"),
        (".", "the folder holds no treebank file"),
        ("latin.txt", "latin.txt, line 1, column 11: the byte 0xE9 is not UTF-8 text"),
        ("empty.txt", "there are no trees to train on; name a treebank that has some"),
    ],
)
def test_train_on_what_cannot_be_read(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin.txt").write_bytes(b"(S (NN caf\xe9))")
    Path("empty.txt").write_bytes(b"\n")
    ran = cli("train", source, "-o", "m.model")
    assert ran.status == 2 and message in ran.err
    assert ran.err.count("\n") == 1 and not Path("m.model").exists()


def test_train_finds_out_first_whether_it_can_write(cli: Cli, tmp_path: Path, classroom_treebank: Path) -> None:
    for output, message in [
        (tmp_path, "this is a folder"),
        (tmp_path / "no" / "m.model", "there is no folder"),
        (classroom_treebank / "m.model", "there is no folder"),
        ("/dev/null", "this is a device"),
    ]:
        ran = cli("train", classroom_treebank, "-o", output)
        assert ran.status == 2 and message in ran.err
    assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_nothing_behind(
    cli: Cli, tmp_path: Path, classroom_treebank: Path, classroom_model: Path
) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
        trained = cli("train", classroom_treebank, "-o", tmp_path / "m.model")
        evaluated = cli("evaluate", classroom_treebank, "--model", classroom_model, "--output", tmp_path / "parses")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    for ran in (trained, evaluated):
        assert ran.status == 2 and "written" in ran.err and ran.err.count("\n") == 1
    assert os.listdir(tmp_path) == []


# --- parse --------------------------------------------------------------------------------------------------


def test_every_sentence_comes_back_token_for_token(cli: Cli, classroom_treebank: Path, classroom_model: Path) -> None:
    golds = [clean(read_tree(line)) for line in classroom_treebank.read_text().splitlines()]
    sentences = [TaggedSentence.from_tree(gold) for gold in golds if gold is not None]
    tagged = cli("parse", "--model", classroom_model, stdin="".join(f"{sentence}\n" for sentence in sentences))
    assert (tagged.status, tagged.err) == (0, "")
    assert len(tagged.lines) == len(sentences)
    for line, sentence in zip(tagged.lines, sentences, strict=True):
        assert tokens(line) == list(zip(sentence.words, sentence.tags, strict=True))
    trees = cli("parse", classroom_treebank, "--input", "trees", "--model", classroom_model)
    assert trees == tagged


def test_odd_tokens_come_back(cli: Cli, classroom_model: Path) -> None:
    line = r"``/`` 1/2/CD a\/b/NN //NN (/-LRB- x/NN )/-RRB- ,/, É…/NNP left/VBD ./. ''/''"
    ran = cli("parse", "--model", classroom_model, stdin=line + "\n")
    assert ran.status == 0
    assert tokens(ran.lines[0]) == [
        ("``", "``"),
        ("1/2", "CD"),
        ("a/b", "NN"),
        ("/", "NN"),
        ("-LRB-", "-LRB-"),
        ("x", "NN"),
        ("-RRB-", "-RRB-"),
        (",", ","),
        ("É…", "NNP"),
        ("left", "VBD"),
        (".", "."),
        ("''", "''"),
    ]


BAD_LINES = "John/NNP left/VBD\n\n   \nJohn left/VBD\nJohn/ left/VBD\n/NNP\n./. ,/,\n(S (NN a))\nMary/NNP left/VBD"


def test_what_nobody_sees_separates_words_of_plain_text(cli: Cli, classroom_model: Path) -> None:
    line = "\ufeffJohn\0saw \x1b a\u200bdog \u2060 .\x7f"
    expected = cli("parse", "--model", classroom_model, "--input", "text", stdin="John saw a dog .\n")
    assert cli("parse", "--model", classroom_model, "--input", "text", stdin=line + "\n") == expected


def test_each_line_has_one_line_of_output_whatever_it_holds(cli: Cli, classroom_model: Path) -> None:
    ran = cli("parse", "--model", classroom_model, "--tags", "gold", stdin=BAD_LINES)
    assert ran.status == 1
    filled = [bool(line) for line in ran.lines]
    assert filled == [True, False, False, False, False, False, True, False, True]
    assert tokens(ran.lines[6]) == [(".", "."), (",", ",")]
    problems = ran.err.splitlines()
    assert len(problems) == 4
    for number, problem in zip((4, 5, 6, 8), problems, strict=True):
        assert problem.startswith(f"parse-engine: error: standard input, line {number}: word 1: `")
    assert "has no tag" in problems[0] and "--input trees" in problems[3]


def test_the_same_as_json(cli: Cli, classroom_model: Path) -> None:
    ran = cli("parse", "--model", classroom_model, "--format", "json", "--tags", "gold", stdin=BAD_LINES)
    assert ran.status == 1
    objects = [json.loads(line) for line in ran.lines]
    assert len(objects) == 9
    assert objects[0]["tree"] == "(S (NP (NNP John)) (VP (VBD left)))"
    assert objects[0]["fallback"] is False and objects[0]["log_probability"] < 0
    arrow = objects[0]["dependencies"][0]
    assert (arrow["modifier"], arrow["head"], arrow["relation"]) == (1, 2, ["NP", "S", "VP"])
    assert objects[1] == objects[2] and objects[1]["tree"] is None and objects[1]["tokens"] == []
    assert objects[3]["error"] == ran.err.splitlines()[0].removeprefix("parse-engine: error: ")


def test_an_unknown_tag_is_a_warning(cli: Cli, classroom_model: Path) -> None:
    ran = cli("parse", "--model", classroom_model, stdin="foo/XYZ\nbar/XYZ left/VBD baz/ABC\n")
    assert ran.status == 0
    assert [tokens(line) for line in ran.lines] == [
        [("foo", "XYZ")],
        [("bar", "XYZ"), ("left", "VBD"), ("baz", "ABC")],
    ]
    assert ran.err.splitlines() == [
        "parse-engine: warning: standard input, line 1: the model does not know the tag XYZ (of `foo`)",
        "parse-engine: warning: standard input, line 2: the model does not know the tag ABC (of `baz`)",
    ]
    shown = cli("parse", "--model", classroom_model, "--format", "json", stdin="bar/XYZ left/VBD\n")
    assert json.loads(shown.out)["unknown_tags"] == ["XYZ"]


@pytest.mark.parametrize("form", [(), ("--probabilities",), ("--json",)])
def test_an_unknown_tag_is_a_warning_of_the_tagger_too(cli: Cli, classroom_model: Path, form: tuple[str, ...]) -> None:
    ran = cli(
        "tag", "--model", classroom_model, "--input", "tagged", *form, stdin="foo/XYZ left/VBD\nbar/XYZ left/VBD\n"
    )
    assert ran.status == 0 and ran.err.splitlines() == [
        "parse-engine: warning: standard input, line 1: the model does not know the tag XYZ (of `foo`)",
    ]


def test_a_sentence_of_500_words_is_parsed(cli: Cli, classroom_model: Path) -> None:
    words = ["The/DT", "dog/NN", "slept/VBD", ",/,"] * 125
    ran = cli("parse", "--model", classroom_model, "--beam", 20, stdin=" ".join(words))
    assert ran.status == 0 and len(ran.lines) == 1
    assert [f"{word}/{tag}" for word, tag in tokens(ran.lines[0])] == words


def test_bytes_that_are_no_text_spoil_their_own_line_only(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    source = tmp_path / "latin.txt"
    source.write_bytes(b"John/NNP left/VBD\ncaf\xe9/NN\nMary/NNP left/VBD\n")
    ran = cli("parse", source, "--model", classroom_model)
    assert ran.status == 1
    assert [bool(line) for line in ran.lines] == [True, False, True]
    assert ran.err == (
        f"parse-engine: error: {source}, line 2: the byte 0xE9 at column 4 is not UTF-8 text; "
        "convert the file to UTF-8, for example with `iconv -f LATIN1 -t UTF-8`\n"
    )


@pytest.mark.parametrize(
    "pack",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.encode("utf-16"),
        lambda text: gzip.compress(text.encode()),
        lambda text: text.rstrip("\n").encode(),
    ],
    ids=["BOM", "CRLF", "UTF-16", "gzip", "no end of line"],
)
def test_tagged_files_in_any_wrapping(
    cli: Cli, classroom_model: Path, tmp_path: Path, pack: Callable[[str], bytes]
) -> None:
    text = "John/NNP left/VBD\n\nÉmile/NNP left/VBD\n"
    expected = cli("parse", "--model", classroom_model, stdin=text)
    assert expected.status == 0 and len(expected.lines) == 3
    source = tmp_path / "any"
    source.write_bytes(pack(text))
    assert cli("parse", source, "--model", classroom_model) == expected
    assert cli("parse", "-", "--model", classroom_model, stdin=pack(text)) == expected


def test_files_that_cannot_be_parsed(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(os.urandom(4000))[:-200])
    (tmp_path / "no.gz").write_bytes(b"\x1f\x8b but not gzip")
    for source, message in [
        (tmp_path / "missing", "there is no such file"),
        (tmp_path, "this is a folder"),
        (tmp_path / "cut.gz", "cannot be read"),
        (tmp_path / "no.gz", "cannot be read"),
    ]:
        ran = cli("parse", source, "--model", classroom_model)
        assert ran.status == 2 and message in ran.err.splitlines()[-1]


def test_broken_gold_trees_have_their_line_too(cli: Cli, classroom_model: Path) -> None:
    trees = (
        "(S (NP (NNP John)) (VP (VBD left)))\n(S (NP (NN a)) b)\n(S (-NONE- *))\n(S (NP (PRP It)) (VP (VBD left)))\n"
    )
    ran = cli("parse", "--input", "trees", "--model", classroom_model, stdin=trees)
    assert ran.status == 1
    assert [bool(line) for line in ran.lines] == [True, False, False, True]
    assert "standard input, line 2, column 16: the word 'b' stands inside (S …) without a tag" in ran.err


def test_n_best_in_both_formats(cli: Cli, classroom_model: Path) -> None:
    one = cli("parse", "--model", classroom_model, stdin=JOHN).lines
    several = cli("parse", "--model", classroom_model, "--n-best", 4, stdin=f"{JOHN}\n\n{JOHN}\n").lines
    assert len(several) == 3 and several[1] == "" and several[0] == several[2]
    trees = several[0].split("\t")
    assert trees[0] == one[0] and len(trees) == len(set(trees)) >= 2 and HIGH in trees
    shown = json.loads(cli("parse", "--model", classroom_model, "--n-best", 4, "--format", "json", stdin=JOHN).out)
    assert [each["tree"] for each in shown["alternatives"]] == trees
    logs = [each["log_probability"] for each in shown["alternatives"]]
    assert logs == sorted(logs, reverse=True)


def test_settings_reach_the_parser(cli: Cli, classroom: Model, classroom_model: Path) -> None:
    cases: list[tuple[list[str], int, dict[str, object]]] = [
        ([], 5, {}),
        (["--preset", "1"], 1, {}),
        (["--beam", "inf"], 5, {"beam": float("inf")}),
        (["--preset", "2", "--ignore-tags", "--no-punctuation-rule"], 2, {"ignore_tags": 1, "punctuation_rule": 0}),
        (["--preset", "3", "--distance", "order", "--no-lexical"], 3, {"distance": "order", "lexical": False}),
        (["--literal-beam", "--beam", "3", "--threshold", "-5"], 5, {"literal_beam": 1, "beam": 3, "threshold": -5.0}),
    ]
    for options, preset, changes in cases:
        ran = cli("parse", "--model", classroom_model, "--format", "json", *options, stdin=JOHN)
        expected = Parser.preset(classroom, preset, **changes).parse(JOHN)
        assert json.loads(ran.out)["log_probability"] == expected.log_probability
        assert json.loads(ran.out)["tree"] == expected.tree.brackets()


# --- evaluate and explain -----------------------------------------------------------------------------------


def test_evaluate_prints_the_papers_measures(
    cli: Cli, classroom_treebank: Path, classroom_model: Path, tmp_path: Path
) -> None:
    parses = tmp_path / "parses.ptb"
    ran = cli("evaluate", classroom_treebank, "--model", classroom_model, "--output", parses)
    assert (ran.status, ran.err) == (0, "")
    for title in (
        "LR",
        "LP",
        "F1",
        "CBs",
        "0 CBs",
        "<=2 CBs",
        "Complete",
        "Tags",
        "Attached",
        "130 of 130 sentences have a tree that spans them",
        "sentences/s",
    ):
        assert title in ran.out
    written = cli("parse", classroom_treebank, "--input", "trees", "--model", classroom_model).out
    assert parses.read_text() == written
    assert os.listdir(tmp_path) == ["parses.ptb"]


def test_evaluate_as_json_with_other_lengths(cli: Cli, classroom_treebank: Path, classroom_model: Path) -> None:
    options = ["--model", classroom_model, "--json", "--preset", "2", "--beam", "inf", "--max-length", "6", "all"]
    ran = cli("evaluate", classroom_treebank, *options)
    found = json.loads(ran.out)
    assert found["preset"] == 2 and found["settings"]["beam"] is None
    assert found["lengths"]["all"]["sentences"] == 130 > found["lengths"]["6"]["sentences"] > 10
    assert found["lengths"]["all"]["f1"] > 90 and found["lengths"]["all"]["attachment"] > 90
    assert found["lengths"]["all"]["tag_accuracy"] == 100.0
    short = json.loads(
        cli("evaluate", classroom_treebank, "--model", classroom_model, "--json", "--max-length", "6").out
    )
    assert short["left_out"] == 130 - short["sentences"] > 0


def test_evaluate_on_broken_trees(cli: Cli, classroom_model: Path, tmp_path: Path) -> None:
    broken = tmp_path / "b.ptb"
    broken.write_text("(S (NP (PRP It)) (VP (VBD left)))\n(S (NN b) c)\n(S (-NONE- *))\n(X (. .))\n")
    assert cli("evaluate", broken, "--model", classroom_model).status == 2
    ran = cli("evaluate", broken, "--model", classroom_model, "--skip-bad", "--json")
    assert ran.status == 1
    found = json.loads(ran.out)
    assert (found["skipped_trees"], found["left_out"], found["sentences"]) == (1, 1, 2)
    assert cli("evaluate", broken, "--model", classroom_model, "--output", tmp_path).status == 2


def test_explain_shows_all_the_working(cli: Cli, classroom: Model, classroom_model: Path) -> None:
    ran = cli("explain", JOHN, "--model", classroom_model)
    assert (ran.status, ran.err) == (0, "")
    for text in (
        "P(S)",
        "P(N)",
        "[the telescope]",
        "<NP,S,VP>",
        "before second",
        "0 (root)",
        "E1 E23",
        "sum",
    ):
        assert text in ran.out
    parse = Parser.preset(classroom).parse(JOHN)
    assert parse.ledger().table(brief=True) in ran.out
    assert "Gold tree" not in ran.out
    everything = cli("explain", JOHN, "--model", classroom_model, "--all")
    assert parse.ledger().table() in everything.out and "--all" in ran.out and "--all" not in everything.out


def test_explain_lists_the_weightiest_features_and_sums_up_the_others(cli: Cli) -> None:
    brief, everything = (cli("explain", JOHN, "--model", "english", *options) for options in ((), ("--all",)))
    assert (brief.status, everything.status) == (0, 0)
    listed = [line for line in everything.lines if line.startswith("feature ")]
    shown = [line for line in brief.lines if line.startswith("feature ")]
    assert len(shown) == 10 and len(listed) > 20
    weights = [float(line.split("  ")[-1].replace("−", "-")) for line in listed]
    summed = next(line for line in brief.lines if "other features" in line)
    assert f" {len(listed) - 10} other features" in summed
    assert float(summed.split()[-1].replace("−", "-")) == pytest.approx(sum(weights[10:]), abs=0.03)
    assert max(map(len, brief.lines)) < 220
    modified = "(NP (NP (DT a) (NN dog)) (PP (IN with) (NP (DT the) (NN telescope))))"
    other = f"(S (NP (NNP John)) (VP (VBD saw) {modified}) (. .))"
    gold = cli("explain", JOHN, "--model", "english", "--gold", other)
    rows = gold.out[gold.out.index("Difference") :]
    assert "other features" in rows and rows.count("\n") < 40


def test_explain_with_a_gold_tree_begins_with_the_verdict_and_its_reasons(
    cli: Cli, classroom: Model, classroom_model: Path
) -> None:
    # Two things make this tree impossible: one stands in the sentence, the other is a reason.
    golds = [HIGH, HIGH.replace("(PP ", "(ADJP ").replace("(S (", "(FRAG (", 1)]
    reasons = 0
    for gold in golds:
        parser = Parser.preset(classroom, 3)
        told = verdict_headline(verdict(parser, read_tree(gold), parser.parse(JOHN), sentence=parser.prepare(JOHN)))
        ran = cli("explain", JOHN, "--model", classroom_model, "--preset", "3", "--gold", gold)
        first = ran.out.split("\n\n")[0]
        assert " ".join(first.split()) == " ".join(told.text.split()), first
        assert "This is the best parse" in ran.out.split("\n\n")[1]
        reasons += len(told.reasons)
    assert reasons


def test_explain_with_a_gold_tree(cli: Cli, classroom: Model, classroom_model: Path) -> None:
    options = ("--model", classroom_model, "--preset", "3")
    parse = Parser.preset(classroom, 3).parse(JOHN)
    gold = Parser.preset(classroom, 3).score(read_tree(HIGH))
    ran = cli("explain", JOHN, *options, "--gold", f"( {HIGH} )")
    assert ran.status == 0
    assert parse.ledger().table(brief=True) in ran.out and gold.ledger.table(brief=True) in ran.out
    assert "the parser could build it" in ran.out
    difference = f"{parse.log_probability - gold.log_probability:.3f}".replace("-", "−")
    assert ran.out.rstrip().endswith(difference)
    same = cli("explain", JOHN, *options, "--gold", parse.tree.brackets())
    assert "the same as the parse's, factor by factor" in same.out and "Right: the parse is the gold tree." in same.out
    assert same.out.count("sum: log P") == 1 and "Difference" not in same.out
    assert (
        "Model error: In gold the PP `with" in ran.out
        and "is attached to `saw`, in the parse to `dog`." in ran.out
        and "- PP attachment: `with the telescope`" in ran.out
    )
    impossible = cli("explain", JOHN, *options, "--gold", HIGH.replace("(PP ", "(ADJP "))
    assert impossible.status == 0 and impossible.out.startswith("Outside the model: ")
    assert "; impossible\n" in impossible.out and "nothing was ever related as" in impossible.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["John/ saw/VBD"], "`John/` has no tag after the slash"),
        (["a/DT " * 401], "a sentence of 401 words is too long"),
        ([""], "the sentence has no words"),
        ([JOHN, "--gold", "(S (NP (NNP John)))"], "not those of the sentence"),
        ([JOHN, "--gold", HIGH.replace("(. .)", "(NN .)")], "tags other tokens as punctuation"),
        ([JOHN, "--gold", "(S (NP"], "lacks 2 closing )"),
    ],
)
def test_explain_of_what_cannot_be_explained(
    cli: Cli, classroom_model: Path, arguments: list[str], message: str
) -> None:
    ran = cli("explain", *arguments, "--model", classroom_model)
    assert ran.status == 2 and message in ran.err and ran.err.count("\n") == 1


def test_explain_of_one_unknown_word(cli: Cli, classroom_model: Path) -> None:
    ran = cli("explain", "foo/XYZ", "--model", classroom_model)
    assert ran.status == 0 and "does not know the tag XYZ" in ran.err
