"""Verdicts and mistakes over a treebank: the report, the page, and ``parse-engine compare``."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from html.parser import HTMLParser
from operator import attrgetter
from pathlib import Path

import pytest

import engine
from engine.chart.parser import Parser
from engine.common.errors import Cancelled
from engine.explain.verdicts import told_verdict
from engine.export.report_page import BRACKET_SIGNS, page, svg_of_tree
from engine.model.model import Model
from engine.study.comparison import Span, narrowing
from engine.study.errors import ErrorClass
from engine.study.parseval import Summary, score_pair
from engine.study.provenance import BEST, GOLD, Provenance, fingerprint
from engine.study.treebank_report import Report, judge, judge_all
from engine.study.verdicts import VerdictKind, verdict
from engine.trees.reading import read_tree
from engine.trees.tree import Tree, clean
from engine.trees.treebank import read_treebank
from tests.engine.command_runner import Cli

WRONG = (
    "(ROOT (S (NP (NNP John)) (VP (VBD ate) (NP (NP (DT the) (NN pizza)) (PP (IN with) (NP (DT a) (NN fork))))) (. .)))"
)
ODD = '(ROOT (S (NP (NNP <b>&"X)) (VP (VBD ate) (XP (DT the) (NN </svg>))) (. .)))'


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory, classroom_treebank: Path) -> Path:
    """Some of the classroom's trees, and some that its model gets wrong."""
    path = tmp_path_factory.mktemp("compare") / "some.ptb"
    lines = classroom_treebank.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:60], WRONG, ODD, "(ROOT (. .))"]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report(classroom: Model, treebank: Path) -> Report:
    parser = Parser.preset(classroom, 3, beam=1.5, literal_beam=True)
    whole = Report()
    for judged in judge_all(parser, read_treebank([treebank]), tell=told_verdict):
        whole.add(judged)
    return whole.finish()


def test_a_report_has_every_verdict_and_every_mistake(classroom: Model, treebank: Path, report: Report) -> None:
    parser = Parser.preset(classroom, 3, beam=1.5, literal_beam=True)
    trees = list(read_treebank([treebank]))
    assert len(report.judgements) == len(trees) - 1
    assert [judged.number for judged in report.judgements] == list(range(1, len(trees)))
    summary = Summary()
    for tree, judged in zip(trees, report.judgements, strict=False):
        found = verdict(parser, tree)
        assert (judged.kind, judged.told) == (found.kind, told_verdict(found))
        summary.add(score_pair(tree, found.parse.tree))
    assert report.f1 == pytest.approx(summary.f1)
    assert report.verdicts.total() == len(report.judgements)
    assert {VerdictKind.RIGHT, VerdictKind.SEARCH, VerdictKind.OUTSIDE} <= set(report.verdicts)
    counted = Counter((mistake.kind, judged.kind) for judged in report.judgements for mistake in judged.errors)
    assert {key: cell.count for key, cell in report.cells.items()} == dict(counted)
    for (kind, given), cell in report.cells.items():
        where = [
            judged.number
            for judged in report.judgements
            if judged.kind is given and any(mistake.kind is kind for mistake in judged.errors)
        ]
        assert cell.sentences == where


def test_repairing_all_mistakes_would_bring_everything(report: Report) -> None:
    missing = sum(cell.missing for cell in report.cells.values())
    extra = sum(cell.extra for cell in report.cells.values())
    assert report.f1 + report.cost(missing, extra) == pytest.approx(100)
    assert all(cell.f1 > 0 for cell in report.cells.values())
    by_row = sum(report.row(kind).count for kind in ErrorClass)
    by_column = sum(report.column(kind).count for kind in VerdictKind)
    assert by_row == by_column == sum(cell.count for cell in report.cells.values())


def test_the_worst_factors_sum_to_what_model_errors_lose(classroom: Model, classroom_treebank: Path) -> None:
    whole = Report()
    for judged in judge_all(Parser.preset(classroom, 3), read_treebank([classroom_treebank])):
        whole.add(judged)
    lost = sum(judged.nats for judged in whole.judgements if judged.kind is VerdictKind.MODEL)
    assert lost > 1
    for by in (attrgetter("level"), attrgetter("name")):
        worst = whole.worst(by, most=10_000)
        assert sum(one.nats for one in worst) == pytest.approx(lost)
        assert [one.nats for one in worst] == sorted((one.nats for one in worst), reverse=True)


def test_sentences_are_tagged_if_asked(classroom: Model) -> None:
    tree = read_tree(WRONG.replace("(NNP John)", "(XX John)"))
    gold = judge(Parser.preset(classroom, 3), tree)
    tagged = judge(Parser.preset(classroom, 3), tree, gold_tags=False)
    assert gold is not None and tagged is not None
    assert "(XX John)" in gold.parse_tree and "(NNP John)" in tagged.parse_tree


def test_judging_can_be_stopped(classroom: Model, treebank: Path) -> None:
    control = engine.Control()
    judged = judge_all(Parser.preset(classroom, 3), read_treebank([treebank]), control=control)
    assert next(judged).number == 1
    control.cancel()
    with pytest.raises(Cancelled):
        next(judged)


class _Checker(HTMLParser):
    """Every tag is closed where it should be, and nothing is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert not {"src", "onclick", "onload"} & set(given) and tag not in ("script", "link", "img")
        if "id" in given:
            self.ids.add(str(given["id"]))
        if "href" in given:
            self.links.add(str(given["href"]))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("path", "rect")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(text: str) -> _Checker:
    checker = _Checker()
    checker.feed(text)
    assert not checker.open
    return checker


def test_the_page_stands_alone_and_links_only_to_itself(report: Report) -> None:
    wrong = [judged.number for judged in report.judgements if judged.kind is not VerdictKind.RIGHT]
    checker = checked(page(report, 'a "title" <i>', 1000))
    assert checker.ids == {f"s{number}" for number in wrong}
    assert checker.links and all(link.startswith("#") and link[1:] in checker.ids for link in checker.links)
    few = checked(page(report, "few", 3))
    assert len(few.ids) == 3 and all(link[1:] in few.ids for link in few.links)
    assert not checked(page(report, "none", 0)).ids


def test_the_page_writes_numbers_and_words_as_one_reads_them(report: Report) -> None:
    text = page(report, "numbers", 1000)
    assert not re.search(r">-\d|>−0\.0+<|`", re.sub(r"<svg.*?</svg>", "", text))
    for kind in VerdictKind:
        assert f'<span class="kind">{kind}</span> {kind}' not in text.lower()


def test_words_of_the_treebank_are_text_and_not_markup(report: Report) -> None:
    text = page(report, "odd", 1000)
    assert "&lt;b&gt;&amp;&quot;X" in text and "&lt;/svg&gt;" in text and "<b>&" not in text


def test_a_picture_marks_exactly_the_wrong_brackets() -> None:
    tree = clean(read_tree(WRONG))
    assert tree is not None
    wrong = [Span(2, 7, "NP"), Span(4, 7, "PP")]
    text = svg_of_tree(tree, wrong, "extra", narrowing(tree.tags()), "the parse")
    assert text.count("<rect") == 2
    assert sorted(re.findall(rf'<text class="extra"[^>]*>{BRACKET_SIGNS["extra"]} (\w+)<', text)) == ["NP", "PP"]
    for word in tree.words():
        assert f">{word}<" in text


def test_a_picture_keeps_words_apart_and_within() -> None:
    tree = Tree("S", [Tree("NP", [Tree("NN", None, "x" * length)]) for length in (1, 30, 2, 9)])
    text = svg_of_tree(tree, [], "extra", narrowing(tree.tags()), "words")
    width = float(re.search(r'width="(\d+)"', text)[1])  # type: ignore[index]
    places = [float(x) for x in re.findall(r'class="word" x="([\d.]+)"', text)]
    halves = [7 * length / 2 for length in (1, 30, 2, 9)]
    assert all(
        left + half < right - other
        for left, half, right, other in zip(places, halves, places[1:], halves[1:], strict=False)
    )
    assert places[0] - halves[0] > 0 and places[-1] + halves[-1] < width


# --- the command -----------------------------------------------------------------------------------------------


def test_compare_tells_verdicts_and_mistakes(cli: Cli, treebank: Path, classroom_model: Path) -> None:
    ran = cli("compare", treebank, "--model", classroom_model, "--each")
    assert (ran.status, ran.err) == (0, "")
    assert "62 sentences" in ran.out and "1 tree left out" in ran.out
    for text in ("verdict", "right", "outside the model", "error", "F1 lost"):
        assert text in ran.out
    assert "61. John ate the pizza with a fork ." in ran.out
    assert "PP attachment: `with a fork` is attached to" in ran.out


def test_compare_lists_the_sentences_of_one_verdict(cli: Cli, treebank: Path, classroom_model: Path) -> None:
    ran = cli("compare", treebank, "--model", classroom_model, "--verdict", "outside")
    assert (ran.status, ran.err) == (0, "")
    listed = ran.out.partition("\n\n")[0].splitlines()
    numbered = [line for line in listed if re.match(r"\d+\. ", line)]
    verdicts = [listed[listed.index(line) + 1] for line in numbered]
    assert listed[0] == f"outside the model: {len(numbered)} of 62 sentences"
    assert numbered and all(verdict.startswith("    Outside the model:") for verdict in verdicts)


@pytest.mark.parametrize("name", ["beam", "r", ""])
def test_compare_says_which_verdicts_there_are(cli: Cli, treebank: Path, classroom_model: Path, name: str) -> None:
    ran = cli("compare", treebank, "--model", classroom_model, "--verdict", name)
    assert ran.status == 2 and ran.out == ""
    assert "begins no verdict, or more than one" in ran.err and "search error" in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_a_full_disk_does_not_lose_the_report(
    cli: Cli, tmp_path: Path, treebank: Path, classroom_model: Path, option: str
) -> None:
    resource = pytest.importorskip("resource")
    line = ["compare", treebank, "--model", classroom_model, "--no-repair"]
    whole = cli(*line)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, hard))
        ran = cli(*line, option, tmp_path / "file")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert ran.status == 2 and ran.out == whole.out and "verdict" in ran.out
    assert "cannot be written" in ran.err and ran.err.count("\n") == 1
    assert not list(tmp_path.glob("*file*"))


@pytest.mark.usefixtures("pickled_workers")
def test_compare_writes_json_and_html_whatever_the_number_of_jobs(
    cli: Cli, tmp_path: Path, treebank: Path, classroom_model: Path
) -> None:
    options = ("--model", classroom_model, "--beam", "1.5", "--literal-beam")
    one = cli("compare", treebank, *options, "--json", tmp_path / "1.json", "--html", tmp_path / "1.html")
    two = cli("compare", treebank, *options, "--json", tmp_path / "2.json", "--html", tmp_path / "2.html", "--jobs", 2)
    assert (one.status, two.status) == (0, 0) and one.out == two.out
    assert "smallest β that repairs a search error" in one.out
    for name in ("json", "html"):
        first, second = ((tmp_path / f"{number}.{name}").read_text(encoding="utf-8") for number in (1, 2))
        assert first == second
    described = json.loads((tmp_path / "1.json").read_text(encoding="utf-8"))
    assert described["sentences"] == 62 == len(described["judgements"])
    assert sum(described["verdicts"].values()) == 62 and described["verdicts"]["search error"] > 0
    assert all(judged["beam"] for judged in described["judgements"] if judged["verdict"] == "search error")
    headlines = [judged["headline"] for judged in described["judgements"]]
    assert [one["sentence"] for one in headlines] == [judged["sentence"] for judged in described["judgements"]]
    assert all(len(one["reasons"]) <= 3 for one in headlines) and any(one["reasons"] for one in headlines)
    mistakes = [error for judged in described["judgements"] for error in judged["mistakes"]]
    assert mistakes and all(
        error["headline"]["sentence"].lower().startswith(error["kind"].lower()) for error in mistakes
    )
    checked((tmp_path / "1.html").read_text(encoding="utf-8"))
    printed = cli("compare", treebank, *options, "--json", "-")
    assert json.loads(printed.out) == described


def test_compare_from_words_alone(cli: Cli, treebank: Path, classroom_model: Path) -> None:
    for tags, told in (("best", "the tagger's best tags"), ("distribution", "the tagger's tag distributions")):
        ran = cli("compare", treebank, "--model", classroom_model, "--tags", tags, "--max-length", 12)
        assert (ran.status, ran.err) == (0, "") and told in ran.out


def test_compare_says_what_is_wrong_with_its_input(
    cli: Cli, tmp_path: Path, classroom_model: Path, classroom_treebank: Path
) -> None:
    empty = tmp_path / "empty.ptb"
    empty.write_text("", encoding="utf-8")
    ran = cli("compare", empty, "--model", classroom_model)
    assert ran.status == 2 and "no trees to compare with" in ran.err
    broken = tmp_path / "broken.ptb"
    broken.write_text("(S (NN b) c)\n" + WRONG + "\n", encoding="utf-8")
    assert cli("compare", broken, "--model", classroom_model).status == 2
    ran = cli("compare", broken, "--model", classroom_model, "--skip-bad")
    assert ran.status == 1 and "1 broken tree skipped" in ran.out
    ran = cli("compare", classroom_treebank, "--model", classroom_model, "--html", tmp_path / "no" / "page.html")
    assert ran.status == 2 and "page.html" in ran.err


def test_reports_carry_model_preset_changes_beam_and_tags(
    cli: Cli, classroom_model: Path, treebank: Path, tmp_path: Path
) -> None:
    line = f"{classroom_model.stem} · preset 3 (no punctuation rule) · β 20 · the tagger's best tags"
    options = ["--model", classroom_model, "--preset", 3, "--no-punctuation-rule", "--beam", 20, "--tags", "best"]
    page, found = tmp_path / "page.html", tmp_path / "found.json"
    ran = cli("compare", treebank, *options, "--html", page, "--json", found)
    assert ran.out.splitlines()[0] == f"{treebank.name}: {line}"
    assert line in html.unescape(page.read_text(encoding="utf-8"))
    assert json.loads(found.read_text(encoding="utf-8"))["provenance"] == line
    assert cli("evaluate", treebank, *options).out.splitlines()[0] == line
    described = json.loads(cli("evaluate", treebank, *options, "--json").out)
    assert described["provenance"] == line
    assert (described["model"], described["preset"], described["tags"]) == (classroom_model.stem, 3, "best")


def test_two_models_of_one_name_are_told_apart(classroom: Model, classroom_treebank: Path) -> None:
    settings = engine.Settings.preset(4)
    other = engine.train([classroom_treebank], tagger=False)
    here = Provenance("one", settings, GOLD, 4, fingerprint(classroom))
    assert here == Provenance("one", engine.Settings.preset(3, tag_distribution=True), GOLD, 3, fingerprint(classroom))
    assert here != Provenance("one", settings, GOLD, 4, fingerprint(other))
    assert here != Provenance("one", settings, BEST, 4, fingerprint(classroom))
