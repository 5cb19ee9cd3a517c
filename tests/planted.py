"""What the tests would see: faults planted one at a time in a copy of the project, and the test that finds each.

``python -m tests.planted`` copies the project, plants a fault, and asks the tests that could see it, those first whose
modules are next to the fault's: then the rest of the usual suite, then the robust one.  A table says of every fault by
which test it was found and after how long.  ``--project`` names another state of the project, to compare the two.

A fault is a piece of code that stands in one place of both packages, in whatever module, and what takes its place; a
fault whose code was rewritten gets another piece that goes wrong in the same way.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[1]
PACKAGES = ("engine", "explorer")
NO_TESTS = 5
"""The exit status of pytest where all tests were left out."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?::.*?)(?: - .*)?$|^(?:FAILED|ERROR) (\S+\.py)", re.MULTILINE)


class Fault(NamedTuple):
    """A fault: its room, what goes wrong, and pairs of code and what takes its place; the first there counts."""

    room: str
    name: str
    changes: tuple[tuple[str, str], ...]


def _fault(room: str, name: str, code: str, wrong: str, *others: str) -> Fault:
    """A fault; `others` are more pairs of code and replacement, for other states of the project."""
    pairs = (code, wrong, *others)
    return Fault(room, name, tuple(zip(pairs[::2], pairs[1::2], strict=True)))


FAULTS = (
    _fault(
        "estimates",
        "λ1 is too small",
        "return (eta_1 + eta_23 / delta_23) / (delta_1 + 1.0)",
        "return (eta_1 + eta_23 / delta_23) / (delta_1 + 2.0)",
    ),
    _fault(
        "estimates",
        "gaps do not back off to the comma",
        "while last > 0 and steps[last, layout.STEP_DELTA] == 0:",
        "while last > 9 and steps[last, layout.STEP_DELTA] == 0:",
        "last = G_TAGS if delta[G_TAGS] > 0 else G_COMMA",
        "last = G_TAGS",
    ),
    _fault(
        "estimates",
        "preset 5: square root at the wrong context",
        "(_level(DEPENDENCY_BESIDE_HEAD, c=5.0),), 1.0)",
        "(_level(DEPENDENCY_BESIDE_HEAD, c=5.0),), 0.5)",
        "square_root = number != 1",
        "square_root = number != 2",
    ),
    _fault(
        "estimates",
        "preset 5: scale of words",
        "scale *= weight / (total + weight)",
        "scale *= weight / (total + 1.0)",
        "scale *= C_WORD / (total + C_WORD)",
        "scale *= C_WORD / (total + 1.0)",
    ),
    _fault("counts", "Δ counts two commas for more", "code = min(commas, 3)", "code = min(commas, 2)"),
    _fault(
        "counts",
        "question 5 beside the word, not its baseNP",
        "columns.commas[start + columns.last[first] + 1] > 0",
        "columns.commas[first + 1] > 0",
    ),
    _fault(
        "counts",
        "classes between hold the first word",
        "for place in range(first + 1, second):",
        "for place in range(first, second):",
    ),
    _fault(
        "counts",
        "the tag before the head is that after it",
        "context[layout.BEFORE_HEAD] = head.before",
        "context[layout.BEFORE_HEAD] = head.after",
        "if fields & BEFORE_HEAD:\n        key = (key << (widths.tag + 1)) | pair.head_before",
        "if fields & BEFORE_HEAD:\n        key = (key << (widths.tag + 1)) | pair.head_after",
    ),
    _fault(
        "counts",
        "a span's neighbour beyond the baseNP",
        "before = int(tags[first - 1]) + 1 if first > start else 0",
        "before = int(tags[first - 1]) + 1 if first > 0 else 0",
    ),
    _fault("chart", "a verb on both sides only", "elif near_left == 2 or near_right == 2:", "elif near_left == 2:"),
    _fault(
        "chart",
        "left modifiers before right ones, too",
        "grows = not (head_state & layout.FINISHED) and not (pair.head_first and head_state & layout.HAS_LEFT)",
        "grows = not (head_state & layout.FINISHED)",
        "grows = not (head_state & FINISHED) and not (pair.head_first and head_state & HAS_LEFT)",
        "grows = not (head_state & FINISHED)",
    ),
    _fault("chart", "half the beam", "floor = best - limits.beam\n", "floor = best - 0.5 * limits.beam\n"),
    _fault(
        "chart",
        "demanded brackets are split",
        "if inside and first <= middle < final:",
        "if inside and first < middle < final:",
    ),
    _fault("chart", "a demanded relation is none", "allowed = demanded < 0 or relation == demanded", "allowed = True"),
    _fault(
        "chart",
        "opening brackets need no partner",
        "if partner >= 0 and (partner < start or partner > last):",
        "if partner >= 0 and partner < start:",
    ),
    _fault(
        "k-best",
        "derivations come twice",
        "if kind < GROW_RIGHT or left_rank > 0:",
        "if kind < GROW_RIGHT or left_rank > 1:",
    ),
    _fault(
        "k-best",
        "ties go to the edge added last",
        "better = ranking.pool[at, layout.EDGE] < ranking.pool[best, layout.EDGE]",
        "better = ranking.pool[at, layout.EDGE] > ranking.pool[best, layout.EDGE]",
        "better = ranking.pool[at, EDGE] < ranking.pool[best, EDGE]",
        "better = ranking.pool[at, EDGE] > ranking.pool[best, EDGE]",
    ),
    _fault(
        "tagger",
        "P(t|S) forgets the tag before",
        "previous = best[position - 1] if position >= 1 else -1",
        "previous = best[position - 1] if position >= 2 else -1",
    ),
    _fault(
        "tagger",
        "histories with one last tag are one",
        "if last_tags[following, other] == tag and tags_before[following, other] == previous:",
        "if last_tags[following, other] == tag:",
    ),
    _fault(
        "trees",
        "a head moves over one conjunction",
        "while index >= 2 and labels[index - 1] in COORDINATORS:",
        "if index >= 2 and labels[index - 1] in COORDINATORS:",
    ),
    _fault(
        "trees",
        "X++ is forgotten",
        "if below in (label, label + STACKED * 2):",
        "if below == label:",
    ),
    _fault(
        "trees", "the tags S and E", 'letters.append("S" if right else "E")', 'letters.append("E" if right else "S")'
    ),
    _fault(
        "trees",
        "a closing comma goes up",
        "if len(tree.children) > 2 and tree.children[-2].label in COMMA_TAGS:",
        "if len(tree.children) > 3 and tree.children[-2].label in COMMA_TAGS:",
    ),
    _fault(
        "explanations",
        "signs of differences",
        "return f\"{'+' if nats > 0 else MINUS}{amount(nats)}\"",
        "return f\"{'+' if nats < 0 else MINUS}{amount(nats)}\"",
        "return f\"{'+' if nats > 0 else '−'}{amount(nats)}\"",
        "return f\"{'+' if nats < 0 else '−'}{amount(nats)}\"",
    ),
    _fault(
        "explanations",
        "a tie is unlikelier",
        "return Closeness.TIE if own * TIE_RATIO >= other else Closeness.UNLIKELIER",
        "return Closeness.TIE if own >= other else Closeness.UNLIKELIER",
    ),
    _fault("explanations", "a NP", 'frozenset("AEFHILMNORSX")', 'frozenset("AEFHILMORSX")'),
    _fault(
        "explanations",
        "more times than there were",
        'else f"{eta:,} times out of {delta:,}"',
        'else f"{delta:,} times out of {eta:,}"',
    ),
    _fault(
        "verdicts",
        "the re-ranker is blamed for the model's faults",
        "if self._parser.reranks and gold.log_probability > parse.log_probability + TOLERANCE:",
        "if self._parser.reranks:",
        "if self._parser.reranks and gold.ledger.log_probability > parse.log_probability + TOLERANCE:",
        "if self._parser.reranks:",
        "if self._parser.reranks and plain > parse.log_probability + TOLERANCE:",
        "if self._parser.reranks:",
    ),
    _fault(
        "evaluation",
        "crossing on one side",
        "left < start < right < end or start < left < end < right for left, right in spans",
        "left < start < right < end for left, right in spans",
    ),
    _fault(
        "patterns",
        "sisters come after themselves",
        "inside & (first[forest.parents] < np.arange(len(targets)))",
        "inside & (first[forest.parents] <= np.arange(len(targets)))",
    ),
    _fault(
        "gate",
        "an array beyond the file",
        "if entry.offset < end or entry.offset + entry.length > size:",
        "if entry.offset < end:",
    ),
    _fault("gate", "sums are not compared", "if checksum != entry.checksum:", "if checksum < 0:"),
    _fault(
        "gate",
        "true is a number",
        "if not isinstance(self.value, int) or isinstance(self.value, bool) or not least <= self.value <= most:",
        "if not isinstance(self.value, int) or not least <= self.value <= most:",
    ),
    _fault(
        "files",
        "files are written over, not replaced",
        "beside.replace(target)\n        if lasting:",
        "shutil.copyfile(beside, target)\n        if lasting:",
        "beside.replace(target)\n        _folder_to_disk",
        "shutil.copyfile(beside, target)\n        _folder_to_disk",
    ),
    _fault("parallel", "what waits is done twice", "yield from results\n", "yield from results[::-1]\n"),
    _fault(
        "re-ranker",
        "unknown features have a weight",
        "if low < int(buckets[number + 1]) and keys[low] == key:",
        "if low < int(buckets[number + 1]):",
    ),
    _fault(
        "re-ranker",
        "conjuncts are not compared in the memo",
        "if tree.joined[kid[structure.NODE_LABEL]]:\n                features = mix(features, outline(nodes[inner]))",
        "if tree.joined[kid[structure.NODE_LABEL]]:\n                features = mix(features, 0)",
        "if tree.joined[kid[NODE_LABEL]]:\n                features = mix(features, outline(nodes[inner]))",
        "if tree.joined[kid[NODE_LABEL]]:\n                features = mix(features, 0)",
    ),
    _fault(
        "re-ranker",
        "parses of other sizes vote along",
        "if starts[other + 1] - starts[other] == size and chances[other] >= least:",
        "if starts[other + 1] - starts[other] >= size and chances[other] >= least:",
    ),
    _fault(
        "window",
        "the replay is one edge behind",
        "return self.edges[min(count, len(self.edges)) - 1] + 1",
        "return self.edges[min(count, len(self.edges)) - 1]",
    ),
    _fault(
        "window",
        "changes that took themselves back stay",
        "self.setObsolete(self.after == self.before)",
        "self.setObsolete(False)",
    ),
    _fault(
        "window",
        "another sentence is shown after removing",
        "before = sum(1 for index in range(self._document.current) if index not in gone)",
        "before = sum(1 for index in range(self._document.current + 1) if index not in gone)",
    ),
    _fault(
        "window",
        "a what-if about one word lifts another's",
        "same = new.modifier == old.modifier\n",
        "same = True\n",
    ),
    _fault(
        "compare",
        "settings do not make it out of date",
        "return then.line != now.line or then.provenance(comparison.request.model) != now.provenance(model)",
        "return then.line != now.line",
    ),
    _fault(
        "compare",
        "a side stays that is gone",
        "return side in there or not side.is_of_some_sentences",
        "return True",
        "return side in there or side.kind not in (GOLD, WHAT_IF, RANK)",
        "return True",
    ),
    _fault(
        "classroom",
        "the second word of a form is called by the first",
        "number = self._words[:position].count(form) + 1",
        "number = max(self._words[:position].count(form), 1)",
    ),
    _fault(
        "classroom",
        "a step has the sentence before",
        "for step in reversed(self.steps[: index + 1]) if step.sentence",
        "for step in reversed(self.steps[:index]) if step.sentence",
    ),
    _fault(
        "classroom",
        "a step shows the next parse",
        "self._view.set_rank(step.rank - 1)",
        "self._view.set_rank(step.rank)",
    ),
)


class Place(NamedTuple):
    """Where a fault is planted: the module's file, its text, the text with the fault, and when it was last changed."""

    path: Path
    text: str
    wrong: str
    time: int


def find(fault: Fault, project: Path) -> Place | None:
    """Where a fault can be planted; ``None`` if its code is nowhere, or in several places."""
    sources = {path: path.read_text("utf-8") for room in PACKAGES for path in (project / room).rglob("*.py")}
    for code, wrong in fault.changes:
        there = [path for path, text in sources.items() if code in text]
        if len(there) == 1 and sources[there[0]].count(code) == 1:
            text = sources[there[0]]
            return Place(there[0], text, text.replace(code, wrong), there[0].stat().st_mtime_ns)
    return None


def copied(project: Path, folder: Path) -> Path:
    """A copy of all files that belong to a project."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=project, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (project / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(project / name, folder / name)
    return folder


def _imports(path: Path, project: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            file = project.joinpath(*name.split(".")).with_suffix(".py")
            if file.is_file():
                yield file


def test_files(project: Path, mutated: Path) -> list[list[str]]:
    """The files of tests: those that import a module, or what imports it, and the others, nearest first."""
    tests = sorted((project / "tests").rglob("test_*.py"))
    users: dict[Path, set[Path]] = {}
    for path in (path for room in (*PACKAGES, "tests") for path in (project / room).rglob("*.py")):
        for used in _imports(path, project):
            users.setdefault(used, set()).add(path)
    distance = {mutated: 0}
    waiting = deque([mutated])
    while waiting:
        path = waiting.popleft()
        for user in users.get(path, ()):
            # What imports a module of tests is no further from the fault than that.
            step = 0 if "tests" in path.relative_to(project).parts else 1
            if user not in distance:
                distance[user] = distance[path] + step
                waiting.append(user)
    ordered = sorted(tests, key=lambda path: distance.get(path, 99))
    near = [path for path in ordered if distance.get(path, 99) <= 1]
    return [[str(path.relative_to(project)) for path in group] for group in (near, ordered[len(near) :])]


class Laboratory:
    """A copy of the project, in which faults are planted and tests are run.

    Parameters
    ----------
    project
        The project.
    folder
        Where the copy goes.
    jobs
        How many test processes there are.
    seconds
        The longest that a run of tests may take.
    interpreted
        Whether kernels run as Python: then nothing is compiled for a fault in one of them.
    """

    def __init__(self, project: Path, folder: Path, jobs: int, seconds: float, interpreted: bool = False) -> None:
        self.copy = copied(project, folder / "project")
        self._jobs, self._seconds, self._written = jobs, seconds, 0
        self._has_tiers = '"robust:' in (self.copy / "pyproject.toml").read_text("utf-8")
        self._environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPATH": str(self.copy),
            "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
            # Every fault in a kernel has all of them compiled anew: nothing for the user's cache.
            "PARSE_ENGINE_CACHE": str(folder / "cache"),
        }
        if interpreted:
            self._environment["NUMBA_DISABLE_JIT"] = "1"

    def write(self, path: Path, text: str) -> None:
        """Write a module; no time is that of what was written before, or Python would take it for the same."""
        self._written += 1
        path.write_text(text, "utf-8")
        os.utime(path, (self._written, self._written))

    def restore(self, place: Place) -> None:
        """Take the fault out again; the module has the time that it had, by which Python knows it."""
        place.path.write_text(place.text, "utf-8")
        os.utime(place.path, ns=(place.time, place.time))

    def run(self, arguments: list[str], jobs: int) -> tuple[str, float]:
        """Run tests until the first fails; its name, empty if none does, and how long it took."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-rfE", *arguments]
        if jobs > 1:
            command += ["-n", str(jobs), "--dist", "loadfile", "--no-loadscope-reorder"]
        began = time.monotonic()
        try:
            ran = subprocess.run(
                command,
                cwd=self.copy,
                env=self._environment,
                capture_output=True,
                text=True,
                timeout=self._seconds,
                # Whoever is interrupted or killed by a fault takes no more with it than its own tests.
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            return "(no end)", time.monotonic() - began
        took = time.monotonic() - began
        if ran.returncode in (0, NO_TESTS):
            return "", took
        found = _FAILED.search(ran.stdout)
        return (found[1] or found[2]) if found else f"(status {ran.returncode}) {ran.stdout[-200:]!r}", took

    def stages(self, mutated: Path) -> list[tuple[str, list[str]]]:
        """What is run one after the other, each with what it is called."""
        groups = [
            [name for name in group if not name.startswith("tests/faults/")] for group in test_files(self.copy, mutated)
        ]
        # pytest refuses the name of a tier that the project does not have.
        usual = ["-m", "not slow and not robust" if self._has_tiers else "not slow"]
        robust = ["-m", "robust or property", "--hypothesis-profile", "thorough", "tests"]
        return [
            ("near", [*usual, *groups[0]] if groups[0] else []),
            ("usual", [*usual, *groups[1]]),
            ("robust", robust if self._has_tiers else ["tests/faults"]),
        ]

    def plant(self, fault: Fault, deepest: int) -> tuple[str, str, float]:
        """Plant a fault; by which tests it was found (and in which stage), and after how many seconds."""
        place = find(fault, self.copy)
        if place is None:
            return "", "(its code is not there)", 0.0
        spent = 0.0
        try:
            for stage, arguments in self.stages(place.path)[:deepest]:
                if not arguments:
                    continue
                self.write(place.path, place.wrong)
                test, took = self.run(arguments, self._jobs)
                spent += took
                if test and "::" in test:
                    # What fails without the fault has not found it.
                    self.restore(place)
                    again, _ = self.run(["-m", "", test.split("[")[0]], 1)
                    if again:
                        return stage, f"({test} fails without it)", spent
                if test:
                    return stage, test, spent
        finally:
            self.restore(place)
        return "", "NOT FOUND", spent


def main() -> int:
    """Plant faults, and print the table; exit status 1 if one was not found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--project", type=Path, default=PROJECT, help="another state of the project")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="those with one of these in room or name")
    parser.add_argument("--list", action="store_true", help="only say where each would be planted")
    parser.add_argument("--jobs", type=int, default=2, help="test processes (default: 2)")
    parser.add_argument("--seconds", type=float, default=1200.0, help="the longest that a stage may take")
    parser.add_argument("--interpreted", action="store_true", help="run kernels as Python, without compiling them")
    parser.add_argument("--stages", type=int, default=3, help="1: tests next to the fault, 2: the usual suite, 3: all")
    options = parser.parse_args()
    project = options.project.resolve()
    titles = {f"{fault.room}: {fault.name}": fault for fault in FAULTS}
    chosen = {title: titles[title] for title in titles if not options.only or any(map(title.count, options.only))}
    missed = 0
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        where = Path(folder).resolve()
        laboratory = Laboratory(project, where, options.jobs, options.seconds, options.interpreted)
        for title, fault in chosen.items():
            if options.list:
                place = find(fault, laboratory.copy)
                line = str(place.path.relative_to(laboratory.copy)) if place else "(its code is not there)"
                missed += place is None
            else:
                stage, test, seconds = laboratory.plant(fault, options.stages)
                line = f"{seconds:6.0f} s  {stage:6}  {test}"
                missed += not stage or test.startswith("(")
            print(f"{title:62} {line}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
