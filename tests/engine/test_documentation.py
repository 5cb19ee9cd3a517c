"""What README and manual say is so: links lead somewhere, options exist, examples run and give what is printed."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import engine
from engine.cli.command_line import arguments_parser
from engine.common.resources import model_file
from engine.model.file_cache import place_of_copy, wait_for_copies
from engine.trees.head_rules import load_head_rules, parse_head_rules

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "resources" / "manual"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    ROOT / "resources" / "examples" / "README.md",
    *sorted(MANUAL.glob("*.md")),
]
COMMANDS = (
    "parse",
    "explain",
    "tag",
    "lookup",
    "train",
    "info",
    "evaluate",
    "compare",
    "systems",
    "convert",
    "survey",
    "cluster-cost",
)
EXPERIMENTS = ("distances", "models", "ablation", "beam", "learning-curve", "grid")
SHARED = "What the commands share"
OMITTED = "…"
"""In an example: the rest of a line, or on a line of its own any number of lines, is left out."""

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


class Example(NamedTuple):
    """A command as a page shows it: what it reads, its arguments and the lines that it prints."""

    stdin: str
    arguments: list[str]
    shown: list[str]


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page that are in one language."""
    return [match[2] for match in _FENCE.finditer(text_of(page)) if match[1] == language]


def sections(page: Path) -> dict[str, str]:
    """The parts of a page by their headings of the second level."""
    parts = re.split(r"^## +(.*)\n", text_of(page), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def anchors(page: Path) -> set[str]:
    """The names by which a link can lead to a heading, as a web page of the repository makes them."""
    headings = _HEADING.findall(_FENCE.sub("", text_of(page)))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    text = _INLINE_CODE.sub("", _FENCE.sub("", text_of(page)))
    # A picture may be a link, too.
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(file), f"{page.name}: {target}"


def test_pages_speak_of_no_folder_of_one_machine() -> None:
    for page in PAGES:
        assert not re.search(r"(?<![\w.~])/(work|tmp|home|root|Users)\b", text_of(page)), page.name


def test_the_readme_is_short_and_has_its_two_commands() -> None:
    readme = text_of(ROOT / "README.md")
    assert len(readme.splitlines()) <= 150
    made = "python3 -m venv .venv && .venv/bin/pip install"
    start = f"{made} . && .venv/bin/parse-explorer"
    test = f"{made} -e '.[test]' && .venv/bin/python -m pytest -n 2 --dist worksteal"
    assert [line.strip() for line in readme.splitlines() if "python3 -m venv" in line] == [start, test]
    assert "(resources/manual/index.md)" in readme


def test_the_index_leads_to_every_page() -> None:
    index = text_of(MANUAL / "index.md")
    pages = list(MANUAL.glob("*.md"))
    assert len(pages) > 5
    for page in pages:
        assert page.name == "index.md" or f"({page.name})" in index


def test_the_manual_is_installed() -> None:
    stored = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["setuptools"]["data-files"]
    patterns = [pattern for target, found in stored.items() if "/manual" in target for pattern in found]
    installed = {path for pattern in patterns for path in ROOT.glob(pattern)}
    assert installed == {path for path in MANUAL.rglob("*") if path.is_file()}


def test_the_api_reference_is_up_to_date() -> None:
    script = ROOT / "tests" / "documentation" / "api_reference.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"run `python {script.relative_to(ROOT)}`\n{done.stderr}"


def test_the_page_of_glosses_is_up_to_date() -> None:
    script = ROOT / "tests" / "documentation" / "glosses_page.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"run `python {script.relative_to(ROOT)}`\n{done.stderr}"


# The terminal


def help_of(cli: Callable[..., NamedTuple], *command: str) -> set[str]:
    """The options that a command's --help tells of."""
    status, out, _ = cli(*command, "--help")
    assert status == 0
    return set(_OPTION.findall(out)) - {"--help"}


def test_every_option_of_the_terminal_page_exists_and_none_is_missing(cli: Callable[..., NamedTuple]) -> None:
    parts = {
        heading: set(_OPTION.findall(text)) - {"--help"} for heading, text in sections(MANUAL / "terminal.md").items()
    }
    shared, named = parts[SHARED], set[str]()
    for command in COMMANDS:
        options = help_of(cli, command)
        assert parts[command] <= options, command
        assert options <= parts[command] | shared, command
        named |= options
    experiments = set[str]().union(*(help_of(cli, "experiment", name) for name in EXPERIMENTS))
    assert parts["experiment"] == experiments
    assert shared <= named | experiments
    out = help_of(cli) | {"--version"}
    assert out == {"--version"}


@cache
def window_options() -> set[str]:
    """The options of the window's command."""
    done = subprocess.run(
        [sys.executable, "-m", "explorer", "--help"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    options = set(_OPTION.findall(done.stdout))
    assert "--export" in options
    return options


def examples(page: Path) -> Iterator[Example]:
    """The commands of a page with what they print."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            words = shlex.split(line)
            stdin = ""
            if words[0] == "echo":
                stdin, words = words[1] + "\n", words[3:]
            assert words[0] == "parse-engine", line
            yield Example(stdin, words[1:], shown.rstrip("\n").split("\n"))


def assert_prints(out: str, shown: list[str], where: str) -> None:
    """The output has the lines that are shown, in their order, and no others but where some are left out."""
    lines = [line.rstrip() for line in out.rstrip("\n").split("\n")]
    at, free = 0, False
    for wanted in shown:
        if wanted == OMITTED:
            free = True
            continue
        beginning = wanted.removesuffix(OMITTED).rstrip() if wanted.endswith(OMITTED) else None

        def fits(line: str, wanted: str = wanted, beginning: str | None = beginning) -> bool:
            return line.startswith(beginning) if beginning is not None else line == wanted.rstrip()

        if free:
            at = next((place for place in range(at, len(lines)) if fits(lines[place])), len(lines))
        assert at < len(lines) and fits(lines[at]), f"{where}: not printed (here): {wanted!r}"
        at, free = at + 1, False
    assert free or at == len(lines), f"{where}: more is printed: {lines[at]!r}"


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the example trees, as in a checkout, into which examples may write."""
    shutil.copytree(ROOT / "resources" / "examples", tmp_path / "resources" / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pages_with(language: str) -> list[Path]:
    """The pages that have code blocks in one language."""
    return [page for page in PAGES if blocks(page, language)]


def named(page: Path) -> str:
    """A page's place in the project."""
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", pages_with("console"), ids=named)
def test_examples_of_the_terminal_print_what_is_shown(
    page: Path, cli: Callable[..., NamedTuple], workplace: Path
) -> None:
    found = list(examples(page))
    assert found
    for example in found:
        where = f"{page.name}: parse-engine {shlex.join(example.arguments)}"
        status, out, err = cli(*example.arguments, stdin=example.stdin)
        assert status == 0, f"{where}: {err}"
        assert_prints(out, example.shown, where)


@pytest.mark.parametrize("page", pages_with("pycon"), ids=named)
def test_examples_in_python_print_what_is_shown(page: Path, cli: Callable[..., NamedTuple], workplace: Path) -> None:
    if page.name == "interchange.md":
        pytest.importorskip("nltk")
        [rows] = blocks(page, "text")
        Path("corpus.conllu").write_text(rows, encoding="utf-8")
        [told] = re.findall(r"`parse-engine ([^`]*--evalb[^`]*)` has written", text_of(page))
        assert cli(*told.split())[0] == 0
    # One after the other, as a reader would type them.
    parser = doctest.DocTestParser()
    whole = parser.get_doctest("\n".join(blocks(page, "pycon")), {}, page.name, page.name, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    outcome = runner.run(whole, out=said.append)
    assert outcome.attempted and not outcome.failed, "".join(said)


def test_no_example_of_a_command_or_of_python_goes_unchecked() -> None:
    """Blocks that show what is printed are run; those of other languages are checked as what they are."""
    checked_elsewhere = {
        # What the reader would run on data or machines of their own: command lines that must be understood.
        "sh": {named(page) for page in pages_with("sh")},
        # A cluster's client, for which tests/engine/test_cluster.py has a cluster; signatures, made from the code.
        "python": {"resources/manual/cluster.md", "resources/manual/api.md"},
        "yaml": {"resources/manual/cluster.md"},
        "json": {"resources/manual/formats.md"},
        "markdown": {"resources/manual/lessons.md"},
        "text": {f"resources/manual/{name}.md" for name in ("formats", "interchange", "training")},
    }
    for page in PAGES:
        text = text_of(page)
        assert text.count("\n```") == 2 * len(_FENCE.findall(text)), page.name
        for language in {match[1] for match in _FENCE.finditer(text)} - {"console", "pycon"}:
            assert named(page) in checked_elsewhere[language], f"{page.name}: {language}"
        # Nothing that looks like an example stands outside of the blocks that are run.
        assert not re.search(r"^ +(\$ |>>> )", _FENCE.sub("", text), re.MULTILINE), page.name


def command_lines(page: Path) -> list[str]:
    """The command lines of a page whose output is not shown: in blocks, and indented."""
    indented = re.findall(r"^ {4}((?:parse-e\w+|python) .*)$", _FENCE.sub("", text_of(page)), re.MULTILINE)
    return ["".join(blocks(page, "sh")).replace("\\\n", " "), *indented]


@pytest.mark.parametrize("page", [page for page in PAGES if "".join(command_lines(page))], ids=named)
def test_command_lines_without_output_are_understood(page: Path) -> None:
    commands = arguments_parser()
    for line in "\n".join(command_lines(page)).splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["parse-engine"]:
            ends = [at for at, word in enumerate(words) if word in (">", "<", "|", "&&")]
            commands.parse_args(words[1 : ends[0] if ends else None])
        elif words[:1] == ["parse-explorer"]:
            options = {word for word in words if word.startswith("--")}
            assert options <= window_options(), f"{page.name}: {line}"
        elif words[:1] == ["python"] and words[1] != "-c" and words[1:3] != ["-m", "pytest"]:
            script = ROOT / (f"{words[2].replace('.', '/')}.py" if words[1] == "-m" else words[1])
            source = text_of(script if script.is_file() else script.with_suffix("") / "__main__.py")
            for option in filter(lambda word: word.startswith("--"), words):
                assert f'"{option}"' in source, f"{page.name}: {line}"


def test_the_tree_and_the_head_rules_that_the_pages_show_can_be_read() -> None:
    [tree] = blocks(MANUAL / "formats.md", "text")
    assert engine.read_tree(tree).label == "S"
    [rules] = blocks(MANUAL / "training.md", "text")
    shown = {parent: lines for parent, lines in parse_head_rules(rules).rules.items() if parent != "*"}
    assert set(shown) == {"NP", "PP"}
    for parent, lines in shown.items():
        # The table in use has these lines, in this order, and others between them.
        own = iter(load_head_rules().rules[parent])
        assert all(line in own for line in lines)


def test_the_client_of_a_cluster_names_what_there_is() -> None:
    [source] = blocks(MANUAL / "cluster.md", "python")
    tree = ast.parse(source)
    calls = {ast.unparse(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert calls.keys() == {"engine.Cluster", "engine.train"}
    for name, call in calls.items():
        function = getattr(engine, name.removeprefix("engine."))
        assert {keyword.arg for keyword in call.keywords} <= set(inspect.signature(function).parameters), name


def test_whoever_reads_a_figure_on_gum_reads_that_a_parser_made_its_trees() -> None:
    found = 0
    for page in PAGES[:1] + [page for page in PAGES if page.parent == MANUAL]:
        text = text_of(page)
        treebank = re.search(r"\bGUM\b|\bgum-", text)
        figure = re.compile(r"\b[5-9]\d\.\d\b|\d\d F1").search(text, treebank.end()) if treebank else None
        if figure is None or "F1" not in text:
            continue
        found += 1
        # In the same paragraph, at the latest.
        assert 0 < text.find("neural parser") < text.find("\n\n", figure.end()), page.name
    assert found >= 5


def test_the_page_of_formats_has_every_key_of_a_parse() -> None:
    schema = json.loads(text_of(ROOT / "engine" / "export" / "parse.schema.json"))["$defs"]
    keys = {"error", *schema["sentence"]["properties"], *schema["parse"]["properties"]}
    part = text_of(MANUAL / "formats.md").partition("### JSON of a parse\n")[2].partition("\n### ")[0]
    whole, of_dependencies = (
        {key for row in re.findall(r"^\| (`\w+`.*?) \|", table, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)}
        for table in part.split("Each of the `dependencies` has")
    )
    assert whole == keys
    assert of_dependencies <= {*schema["arrow"]["properties"], "alternatives"}
    # In the row of `dependencies` itself stand the others.
    assert all(f"`{key}`" in part for key in schema["arrow"]["properties"])


def test_the_size_of_the_unpacked_model_is_what_all_pages_say() -> None:
    file = model_file("english")
    copy = place_of_copy(file) if file is not None else None
    engine.load("english")
    wait_for_copies()
    assert copy is not None
    size = round(copy.stat().st_size / 1_000_000)
    said = re.compile(
        r"unpacked model \((\d+) MB|model unpacked, with (\d+) MB|(\d+) MB for `english`|ready for use, (\d+) MB"
    )
    told = {named(page): "".join(found) for page in PAGES for found in said.findall(text_of(page))}
    assert len(told) >= 5 and set(told.values()) == {str(size)}, told


def test_the_tour_quotes_what_is_said_of_an_arrow(cli: Callable[..., NamedTuple]) -> None:
    [quoted] = re.findall(r"^> (\*with\* modifies .*)$", text_of(MANUAL / "tour.md"), re.MULTILINE)
    status, out, _ = cli("explain", "Mary saw the man with the telescope.")
    assert status == 0 and quoted.replace("*", "`") in " ".join(out.split("\n"))


def test_the_page_of_formats_lists_them_all() -> None:
    from engine.export import FORMATS

    rows = re.findall(r"^\| `([\w-]+)` \| `(\.\w+)` \|", (MANUAL / "formats.md").read_text("utf-8"), re.MULTILINE)
    assert rows == [(name, form.suffix) for name, form in FORMATS.items()]
