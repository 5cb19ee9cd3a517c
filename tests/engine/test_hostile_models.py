"""A model file from a stranger is refused in one sentence or harmless: no signal, no traceback, no endless memory."""

from __future__ import annotations

import errno
import json
import lzma
import os
import random
import shutil
import time
from collections import Counter, namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.chart.chart_layout import SEARCH_LAST, SEARCH_LEFT, SEARCH_RIGHT, TAKE_LEFT, TAKE_RIGHT
from engine.chart.parser import Parser
from engine.chart.search import grammar_of
from engine.common.errors import ModelError
from engine.common.files import try_lock
from engine.compiled import kernel
from engine.compiled.cache import kernel_folder
from engine.compiled.kernel import COMPILED, running
from engine.counts.contexts import key_width, widths_of
from engine.counts.corpus import Vocabulary
from engine.counts.counts_layout import ContextWord, Switches
from engine.counts.lookup_kernel import fill_constituent
from engine.counts.specifications_layout import TABLES, UNARY_LABEL
from engine.counts.tables import CountedTable, empty_table, side_by_side, table_form
from engine.estimates.estimates_layout import UNARY_CHAIN
from engine.estimates.factors import contexts_of, filled, look_up, mixture_of
from engine.gate import array_file as storage
from engine.gate.array_file import header_digest
from engine.model import counts_file
from engine.model import file_cache as file_checks
from engine.model import file_cache as unpacking
from engine.model.counts_file import MOST_OUTCOMES, check_counts
from engine.model.file_cache import KEPT_COPIES, place_of_copy, wait_for_copies
from engine.model.model import Model
from engine.study.counted import bundled_treebanks
from engine.training.train import train
from engine.trees.head_rules import SEARCHES, parse_head_rules
from engine.trees.reading import read_tree
from tests.fuzz.hostile_models import MOST_SECONDS, make_models, try_variants
from tests.fuzz.model_variants import ModelParts, put_together, take_apart

CLASSROOM_MODEL = Path(__file__).parents[2] / "resources" / "models" / "classroom.model"
SEEDS = (*range(200), 289, 2579)
"""The first of the long campaign, and those that once got through."""


@pytest.fixture(scope="module")
def parts() -> ModelParts:
    return take_apart(CLASSROOM_MODEL)


def refusal(path: Path, content: bytes) -> str:
    """What is said of a file with this content; it must be refused."""
    path.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        Model.load(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ") and "\n" not in text
    return text


Header = dict[str, Any]


def described(**changes: Any) -> Callable[[Header], None]:
    """Change what a header says of the records."""
    return lambda header: header["arrays"]["records"].update(changes)


def without(name: str) -> Callable[[Header], None]:
    """Leave out something that a header says of the records."""

    def change(header: Header) -> None:
        del header["arrays"]["records"][name]

    return change


HEADERS: dict[str, Callable[[Header], Any]] = {
    "no type": without("type"),
    "no offset": without("offset"),
    "objects": described(type="|O8"),
    "another byte order": described(type=">i4"),
    "a type of strings": described(type=["x"]),
    "a shape of −1": described(shape=[-1]),
    "a shape of 2⁶³": described(shape=[2**63]),
    "a shape whose product has no room": described(shape=[2**40, 2**40]),
    "a shape of nothing whose other numbers have no room": described(shape=[0, 2**40, 2**40], length=0, checksum=0),
    "a shape of many dimensions": described(shape=[1] * 1000),
    "a shape of texts": described(shape=["3"]),
    "a number for a shape": described(shape=3),
    "an offset before the beginning": described(offset=-64),
    "an offset beyond the end": described(offset=2**62),
    "an offset that is not aligned": described(offset=65),
    "the place of another array": described(offset=0),
    "a text for a length": described(length="x"),
    "a length that is not that of the shape": described(length=4),
    "a flag that is none": described(packed=1),
    "a checksum that is none": described(checksum=1.5),
    "no arrays": lambda header: header.update(arrays=[]),
    "no metadata": lambda header: header.update(metadata=None),
    "a strange name": lambda header: header["arrays"].update({"a\nb": header["arrays"]["records"]}),
    "a size of 2⁶³": lambda header: header.update(size=2**63),
    "a format that is no number": lambda header: header.update(format="3"),
    "nested deeply": lambda header: b"[" * 100_000,
    "no object": lambda header: b"[]",
    "no JSON": lambda header: b"\xff\xfe",
    "NaN": lambda header: json.dumps(header | {"size": float("nan")}).encode(),
    "a number of thousands of digits": lambda header: b'{"format": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("what", HEADERS)
def test_a_header_that_is_not_as_it_should_be_is_refused(parts: ModelParts, tmp_path: Path, what: str) -> None:
    assert "header" in refusal(tmp_path / "x.model", put_together(parts, HEADERS[what]))


def with_vocabulary(**changes: Any) -> Callable[[dict[str, Any]], None]:
    """Change the vocabulary of a model's metadata."""
    return lambda metadata: metadata["vocabulary"].update(changes)


METADATA: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no vocabulary": lambda metadata: metadata.pop("vocabulary"),
    "a chain that goes round": with_vocabulary(chains=[["NP", "S", "NP"]]),
    "a chain of nine": with_vocabulary(chains=[["NP", "S", "VP", "PP", "ADVP", "ADJP", "QP", "SBAR", "PRN"]]),
    "a chain of one": with_vocabulary(chains=[["NP"]]),
    "a chain of unknown labels": with_vocabulary(chains=[["NP", "XYZ"]]),
    "a triple of two": with_vocabulary(triples=[["NP", "S"]]),
    "tags that are no labels": with_vocabulary(tags=["XYZ"]),
    "tags that are no texts": with_vocabulary(tags=[1]),
    "labels with spaces": lambda metadata: metadata["vocabulary"]["labels"].append("A B"),
    "tags out of order": lambda metadata: metadata["vocabulary"]["tags"].reverse(),
    "triples out of order": lambda metadata: metadata["vocabulary"]["triples"].reverse(),
    "labels twice": lambda metadata: metadata["vocabulary"]["labels"].append("NP"),
    "no first label": with_vocabulary(labels=[]),
    "a million labels": with_vocabulary(labels=["", *(f"{number:06}" for number in range(10**6))]),
    "thousands of phrases inside baseNPs": with_vocabulary(phrases=[f"{number:06}" for number in range(10**5)]),
    "other widths": lambda metadata: metadata.update(widths=[9, 6, 7]),
    "widths that are no numbers": lambda metadata: metadata.update(widths="abc"),
    "a width below 0": lambda metadata: metadata.update(widths=[-1, 6, 7]),
    "tables twice": lambda metadata: metadata.update(tables=["gap-pair"] * 35),
    "head rules that are no text": lambda metadata: metadata.update(head_rules=[]),
    "head rules without a line for all": lambda metadata: metadata.update(head_rules="NP left"),
    "credits that are no texts": lambda metadata: metadata["about"].update(credits=[1]),
    "sentences that are no number": lambda metadata: metadata["about"].update(sentences="many"),
    "a tagger that is a list": lambda metadata: metadata.update(tagger=[]),
    "a tagger with a beam of 10⁹": lambda metadata: metadata["tagger"].update(beam=10**9),
    "a tagger with a thousand tags and a beam of 100": lambda metadata: metadata["tagger"].update(
        tags=[f"T{number}" for number in range(1000)], beam=100
    ),
    "a tagger without a scale": lambda metadata: metadata["tagger"].pop("scale"),
    "a tagger with a scale of 0": lambda metadata: metadata["tagger"].update(scale=0.0),
    "a re-ranker without arrays": lambda metadata: metadata.update(reranker={"format": 3, "scale": 1.0}),
    "a second model without arrays": lambda metadata: metadata.update(generative={"format": 1}),
}


@pytest.mark.parametrize("what", METADATA)
def test_metadata_that_are_not_as_they_should_be_are_refused(parts: ModelParts, tmp_path: Path, what: str) -> None:
    changed = parts.copy()
    METADATA[what](changed.metadata)
    assert "cannot be used" in refusal(tmp_path / "x.model", put_together(changed))


def put(place: int, value: int) -> Callable[[Any], Any]:
    """Put a value at a place of an array."""

    def change(array: Any) -> Any:
        changed = array.copy()
        changed.flat[place] = value
        return changed

    return change


ARRAYS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a table that starts elsewhere": ("places", put(3, 5)),
    "a shift of more bits than a key has": ("places", put(1, 64)),
    "a shift below 0": ("places", put(1, -1)),
    "a table less": ("places", lambda array: array[:-1]),
    "buckets that fall": ("buckets", put(3, 2**31)),
    "a bucket less": ("buckets", lambda array: array[:-1]),
    "buckets of another type": ("buckets", lambda array: array.astype(np.int64)),
    "buckets that end beyond the contexts": ("buckets", lambda array: np.append(array[:-1], array[-1] + 1)),
    "a negative context": ("contexts", put(7, -1)),
    "no contexts": ("contexts", lambda array: array[:0]),
    "contexts backwards": ("contexts", lambda array: array[::-1].copy()),
    "records of odd length": ("records", lambda array: array[:-1]),
    "an outcome that is none": ("records", put(2, 10**6)),
    "a negative outcome": ("records", put(2, -1)),
    "a record that has no end": ("records", put(1, 2**31 - 1)),
    "δ less than η": ("records", put(0, 0)),
    "an η of 0": ("records", put(3, 0)),
    "records in two columns": ("records", lambda array: array.reshape(-1, 2)),
    "words that are no text": ("words", put(0, 255)),
    "a word twice": ("words", lambda array: np.concatenate([array, [10], array])),
    "atoms that there are not": ("tagger_templates", put(1, 100)),
    "weights of tags that there are not": ("tagger_row_tags", put(0, 99)),
    "weights of another type": ("tagger_row_weights", lambda array: array.astype(np.float32)),
    "features out of order": ("tagger_row_starts", put(1, 2**31)),
    "a dictionary out of order": ("tagger_dictionary_hashes", lambda array: array[::-1].copy()),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_an_array_that_kernels_cannot_look_into_is_refused(parts: ModelParts, tmp_path: Path, what: str) -> None:
    name, change = ARRAYS[what]
    changed = parts.copy()
    changed.arrays[name] = change(changed.arrays[name])
    assert "cannot be used" in refusal(tmp_path / "x.model", put_together(changed))


@pytest.mark.robust
def test_a_second_model_whose_contexts_are_all_in_one_bucket_is_refused(tmp_path: Path) -> None:
    changed = take_apart(make_models()["complete"])
    number = 1000
    for name, value, kind in (("contexts", 1, np.int64), ("sizes", 1, np.int32), ("counts", 1, np.int32)):
        changed.arrays[f"generative/{name}"] = np.full(number, value, kind)
    changed.arrays["generative/outcomes"] = np.zeros(number, np.int32)
    assert "too much alike" in refusal(tmp_path / "x.model", put_together(changed))


def wide_model(path: Path, labels: int) -> None:
    """Write a small packed model in which every label may stand alone over every other."""
    names = ("", *sorted([*(f"L{number:04}" for number in range(labels)), "NN"]))
    vocabulary = Vocabulary(("a",), ("NN",), names, (), (), ())
    widths, size = widths_of(vocabulary), len(names)
    outcomes, ones = np.tile(np.arange(size, dtype=np.int32), size), np.ones(size**2, np.int32)
    deltas, places = np.full(size, size, np.int32), np.repeat(np.arange(size), size)
    counted = CountedTable(np.arange(size), deltas, deltas, places, outcomes, ones, ones)
    tables = [counted if table == UNARY_LABEL else empty_table(False) for table in range(len(TABLES))]
    forms = [table_form(one, key_width(widths, table)) for table, one in enumerate(tables)]
    rules = parse_head_rules("* left")
    Model(vocabulary, side_by_side(forms, widths), {"compact": True}, rules).save(path, packed=True)


@pytest.mark.robust
def test_a_thousand_unary_parents_are_estimated_in_a_moment(tmp_path: Path) -> None:
    wide_model(tmp_path / "small.model", 10)
    wide_model(tmp_path / "wide.model", MOST_OUTCOMES - 2)
    assert (tmp_path / "wide.model").stat().st_size < 200_000
    with running(COMPILED):
        # Compiled here, if it was not before.
        grammar_of(Model.load(tmp_path / "small.model"), Switches(0, 1, 0))
        model = Model.load(tmp_path / "wide.model")
        begin = time.process_time()
        grammar_of(model, Switches(0, 1, 0))
        assert time.process_time() - begin < MOST_SECONDS


def test_the_grammar_has_the_unary_estimates_that_are_explained() -> None:
    model = Model.load(CLASSROOM_MODEL)
    grammar = grammar_of(model, Switches(0, 1, 0))
    for tag in range(len(model.vocabulary.tags) + 1):
        for label in range(1, len(model.vocabulary.labels) + 1):
            over = filled(fill_constituent, label, ContextWord(-1, tag, 0, 0), 0, 0)
            contexts = contexts_of(UNARY_CHAIN, model.counts.bits, over)
            mixture = mixture_of(UNARY_CHAIN, *look_up(model.counts, contexts, 0))
            # A label that nothing was counted of stands alone.
            estimate = mixture.value if mixture.levels[-1].delta else 1.0
            assert grammar.none[tag, label] == (np.log(estimate) if estimate > 0 else -np.inf)


def decided(searches: Any, rows: Any, tags: list[int]) -> int:
    """Which of these tags the searches of a grammar choose for the head of a baseNP."""
    for search, row in zip(searches.tolist(), rows, strict=True):
        places = [place for place, tag in enumerate(tags) if row[tag]]
        if search == SEARCH_LEFT and places:
            return places[0]
        if search == SEARCH_RIGHT and places:
            return places[-1]
        if search == TAKE_LEFT:
            return 0
        if search == TAKE_RIGHT or (search == SEARCH_LAST and row[tags[-1]]):
            return len(tags) - 1
    return 0


def test_a_table_of_thousands_of_head_rules_is_no_more_work_than_its_tags(tmp_path: Path, parts: ModelParts) -> None:
    known = parts.metadata["vocabulary"]["tags"]
    chance = random.Random(5)
    for size in (1, 3, 8, 5000):
        lines = []
        for _ in range(size):
            search = chance.choice(SEARCHES if size > 3 else SEARCHES[:2])
            candidates = chance.choices([*known[:6], "XX", "NP"], k=chance.randint(size > 3, 3))
            lines.append(f"NP {search} {' '.join(candidates)}")
        changed = parts.copy()
        changed.metadata["head_rules"] = "\n".join([*lines, "* right"])
        (tmp_path / "x.model").write_bytes(put_together(changed))
        model = Model.load(tmp_path / "x.model")
        grammar = grammar_of(model, Switches(0, 1, 0))
        assert grammar.head_tags.shape == (len(grammar.head_searches), len(known) + 1)
        assert len(grammar.head_searches) <= 2 * len(known) + 1
        for _ in range(50):
            numbers = [chance.randrange(8) for _ in range(chance.randint(2, 5))]
            _, expected = model.rules.deciding("NP", [known[number] for number in numbers])
            assert decided(grammar.head_searches, grammar.head_tags, numbers) == expected


def test_what_would_be_unpacked_to_gigabytes_is_refused_before(
    parts: ModelParts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = parts.copy()
    changed.packed = True
    content = put_together(changed, lambda header: header["arrays"]["records"].update(shape=[3 << 30]))

    def unpacker(*_: Any, **__: Any) -> None:
        pytest.fail("something was unpacked")

    monkeypatch.setattr(lzma, "LZMADecompressor", unpacker)
    assert "far more than the file has" in refusal(tmp_path / "x.model", content)


@pytest.mark.robust
def test_variants_of_every_part_are_refused_or_harmless(tmp_path: Path) -> None:
    outcomes = list(try_variants(make_models(), SEEDS, tmp_path))
    assert [outcome for outcome in outcomes if outcome.is_failure] == []
    endings = Counter(outcome.ending for outcome in outcomes)
    assert endings.total() == len(SEEDS) and endings["refused"] > 50 and endings["harmless"] > 5


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes every check of counts; files that were changed just now are remembered, too."""
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(file_checks, "LEAST_AGE_NS", -(10**12))
    done: list[str] = []

    def noted(*arguments: Any) -> None:
        done.append("checked")
        check_counts(*arguments)

    monkeypatch.setattr(counts_file, "check_counts", noted)
    return done


def test_a_file_is_checked_once_and_again_when_it_was_changed(tmp_path: Path, checks: list[str]) -> None:
    path = tmp_path / "x.model"
    path.write_bytes(CLASSROOM_MODEL.read_bytes())
    for _ in range(3):
        Model.load(path)
    assert len(checks) == 1
    # The same bytes and the same time of change: only the system knows that it was written to.
    times = path.stat()
    path.write_bytes(CLASSROOM_MODEL.read_bytes())
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_mtime_ns == times.st_mtime_ns
    Model.load(path)
    assert len(checks) == 2


def test_a_damaged_file_is_not_remembered(parts: ModelParts, tmp_path: Path, checks: list[str]) -> None:
    changed = parts.copy()
    changed.arrays["records"] = put(2, 10**6)(changed.arrays["records"])
    for _ in range(2):
        refusal(tmp_path / "x.model", put_together(changed))
    assert len(checks) == 2


def test_a_file_that_takes_the_place_of_one_that_was_checked_is_not_believed(
    parts: ModelParts, tmp_path: Path, checks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "x.model", tmp_path / "other.model"
    path.write_bytes(CLASSROOM_MODEL.read_bytes())
    Model.load(path)
    changed = parts.copy()
    changed.arrays["records"] = put(2, 10**6)(changed.arrays["records"])
    other.write_bytes(put_together(changed))
    digest = header_digest

    def replaced(asked: Path) -> str:
        if other.exists():
            other.replace(path)
        return digest(asked)

    # Between the question whether it was checked and the opening of the file.
    monkeypatch.setattr(unpacking, "header_digest", replaced)
    with pytest.raises(ModelError, match="replaced while it was opened"):
        Model.load(path)
    with pytest.raises(ModelError, match="an outcome"):
        Model.load(path)


def test_a_program_with_other_tables_checks_again(
    tmp_path: Path, checks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Model.load(CLASSROOM_MODEL)
    monkeypatch.setattr(file_checks, "TABLES", TABLES[:-1])
    Model.load(CLASSROOM_MODEL)
    assert len(checks) == 2


def test_what_others_could_have_written_is_not_believed(tmp_path: Path, checks: list[str]) -> None:
    Model.load(CLASSROOM_MODEL)
    (remembered,) = (tmp_path / "cache" / "checked-models").iterdir()
    remembered.chmod(0o666)
    Model.load(CLASSROOM_MODEL)
    assert len(checks) == 2


@pytest.mark.parametrize("mode", [0o644, 0o666])
def test_a_file_that_others_can_change_while_it_is_open_is_read_as_a_whole(
    tmp_path: Path, checks: list[str], mode: int
) -> None:
    own = tmp_path / "own.model"
    own.write_bytes(CLASSROOM_MODEL.read_bytes())
    own.chmod(mode)
    if mode == 0o644:
        if os.geteuid() != 0:
            pytest.skip("only root can give a file to another user")
        os.chown(own, 12345, 12345)
    expected = Parser.preset(Model.load(own), 5).parse("John saw the man with a telescope .").tree
    again = Model.load(own)
    with own.open("r+b") as file:
        file.truncate(100)
    assert Parser.preset(again, 5).parse("John saw the man with a telescope .").tree == expected
    # It is never remembered as checked.
    assert len(checks) == 2


def test_a_file_that_was_changed_just_now_is_checked_again(
    tmp_path: Path, checks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_checks, "LEAST_AGE_NS", 10**18)
    for _ in range(2):
        Model.load(CLASSROOM_MODEL)
    assert len(checks) == 2


def test_the_names_of_treebanks_lead_nowhere_else(parts: ModelParts, tmp_path: Path) -> None:
    for name in (str(CLASSROOM_MODEL), "../models/classroom.model", "..", "a\0b"):
        changed = parts.copy()
        changed.metadata["about"]["corpora"] = [name]
        (tmp_path / "x.model").write_bytes(put_together(changed))
        assert bundled_treebanks(Model.load(tmp_path / "x.model")) == []
    assert [path.name for path in bundled_treebanks(Model.load(CLASSROOM_MODEL))] == ["classroom.ptb"]


def test_what_has_no_place_in_utf_8_is_saved_as_it_was_read(parts: ModelParts, tmp_path: Path) -> None:
    changed = parts.copy()
    changed.metadata["about"]["credits"] = ["half a character: \ud800"]
    (tmp_path / "x.model").write_bytes(put_together(changed))
    Model.load(tmp_path / "x.model").save(tmp_path / "again.model")
    assert Model.load(tmp_path / "again.model").metadata["credits"] == ["half a character: \ud800"]


def test_a_chain_too_long_for_a_derivation_is_not_learnt(tmp_path: Path) -> None:
    labels = ["X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "X9"]
    tree = read_tree("(S " + "".join(f"({label} " for label in labels) + "(UH oh)" + ")" * 9 + " (VP (VB go)))")
    model = train([tree, read_tree("(S (NP (DT the) (NN dog)) (VP (VBD ran)))")], tagger=False)
    model.save(tmp_path / "x.model")
    opened = Model.load(tmp_path / "x.model")
    assert all(len(chain) <= 8 for chain in opened.vocabulary.chains)
    assert "go" in str(Parser.preset(opened, 3).parse("oh/UH " * 9 + "go/VB").tree)


# A packed model is unpacked once; whatever becomes of its copy, the model that is opened is the same.


SENTENCE = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, with copies even of small models."""
    # Compiled kernels are found where they were, and not compiled anew for each test.
    compiled = kernel_folder()
    monkeypatch.setattr(kernel, "kernel_folder", lambda: compiled)
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(unpacking, "LEAST_BYTES", 0)
    return tmp_path / "cache"


@pytest.fixture
def packed(classroom: Model, tmp_path: Path) -> Path:
    """The file of a packed model."""
    path = tmp_path / "packed.model"
    classroom.save(path, packed=True)
    return path


def load(path: Path) -> Model:
    """Open a model, and wait for its copy."""
    model = Model.load(path)
    wait_for_copies()
    return model


def copy_of(path: Path) -> Path:
    """Where its copy is."""
    place = place_of_copy(path)
    assert place is not None
    return place


def same(one: Model, other: Model) -> bool:
    """Whether two models hold the same."""
    arrays = [counts_file.counts_arrays(model.counts) for model in (one, other)]
    equal = arrays[0].keys() == arrays[1].keys() and all(
        np.array_equal(arrays[0][at], arrays[1][at]) for at in arrays[0]
    )
    return equal and one.vocabulary == other.vocabulary and one.metadata == other.metadata


def test_the_second_time_nothing_is_unpacked(classroom: Model, packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not copy_of(packed).exists()
    first = load(packed)
    assert copy_of(packed).exists() and not storage.is_packed(copy_of(packed))
    opened = []

    def read_arrays(path: Path, private: bool = False) -> object:
        opened.append(path)
        return storage.read_arrays(path, private)

    monkeypatch.setattr(unpacking, "read_arrays", read_arrays)
    second = load(packed)
    assert opened == [copy_of(packed)]
    assert same(first, classroom) and same(second, classroom)
    parses = [Parser.preset(model, 3).parse(SENTENCE) for model in (first, second, classroom)]
    assert len({(str(parse.tree), parse.log_probability) for parse in parses}) == 1


def test_a_small_model_has_no_copy(
    classroom: Model, classroom_model: Path, packed: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "LEAST_BYTES", 1 << 40)
    assert same(load(packed), classroom) and same(load(classroom_model), classroom)
    assert not list(folder.glob("*.model"))


def test_a_model_that_is_not_packed_is_copied_as_it_is(
    classroom: Model, classroom_model: Path, packed: Path, folder: Path
) -> None:
    """Its own file may be changed at any time."""
    assert same(load(classroom_model), classroom) and same(load(classroom_model), classroom)
    (copy,) = folder.glob("*.model")
    assert copy.read_bytes() == classroom_model.read_bytes() and copy.stat().st_mode & 0o777 == 0o600
    load(packed)
    assert len(list(folder.glob("*.model"))) == 2


@pytest.mark.parametrize("place", [0, 9, 13, 40, 0.3, 0.5, 0.7, 0.9, -100])
def test_an_altered_copy_is_not_used_and_made_anew(classroom: Model, packed: Path, place: float) -> None:
    load(packed)
    copy = copy_of(packed)
    whole = copy.read_bytes()
    changed = bytearray(whole)
    changed[int(place * len(whole)) if isinstance(place, float) else place] ^= 0xFF
    altered = bytes(changed)
    copy.write_bytes(altered)
    try:
        storage.read_arrays(copy)
        # Between two arrays, where nothing is.
        expected = altered
    except ModelError:
        expected = whole
    assert same(load(packed), classroom)
    assert copy.read_bytes() == expected


@pytest.mark.parametrize("length", [0, 5, 16, 500, 0.5, -1])
def test_a_copy_cut_short_is_not_used_and_made_anew(classroom: Model, packed: Path, length: float) -> None:
    load(packed)
    copy = copy_of(packed)
    whole = copy.read_bytes()
    copy.write_bytes(whole[: int(length * len(whole)) if isinstance(length, float) else length])
    assert same(load(packed), classroom)
    assert copy.read_bytes() == whole


def test_a_folder_that_cannot_be_written_is_no_obstacle(classroom: Model, packed: Path, folder: Path) -> None:
    folder.write_text("no folder")
    assert same(load(packed), classroom)
    assert same(load(packed), classroom)
    assert folder.read_text() == "no folder"


def test_a_full_disk_is_no_obstacle(
    classroom: Model, packed: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10**9, 10**9 - 1000, 1000))
    assert same(load(packed), classroom)
    assert list(folder.iterdir()) == []
    monkeypatch.undo()
    monkeypatch.setenv("PARSE_ENGINE_CACHE", str(folder))
    monkeypatch.setattr(unpacking, "LEAST_BYTES", 0)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert same(load(packed), classroom)
    assert list(folder.iterdir()) == []


def test_an_altered_model_is_refused_although_there_is_a_copy(packed: Path) -> None:
    load(packed)
    assert copy_of(packed).exists()
    content = bytearray(packed.read_bytes())
    content[len(content) // 2] ^= 0xFF
    packed.write_bytes(content)
    os.utime(packed, ns=(1, 1))
    with pytest.raises(ModelError, match=r"packed\.model: the model file was altered"):
        Model.load(packed)
    packed.unlink()
    with pytest.raises(ModelError, match="there is no such model file"):
        Model.load(packed)


def test_only_the_copies_used_last_are_kept(classroom: Model, packed: Path, folder: Path, tmp_path: Path) -> None:
    content = packed.read_bytes()
    paths = [tmp_path / f"{number}.model" for number in range(KEPT_COPIES + 3)]
    for number, path in enumerate(paths):
        path.write_bytes(content)
        os.utime(path, ns=(number, number))
        load(path)
        # The first is used again and again.
        load(paths[0])
        os.utime(copy_of(path), (1000 + number, 1000 + number))
        os.utime(copy_of(paths[0]), (2000, 2000))
    kept = {copy_of(path) for path in (paths[0], *paths[-KEPT_COPIES + 1 :])}
    assert set(folder.iterdir()) == kept


def test_what_was_never_finished_is_removed_and_what_is_being_written_is_left_alone(
    classroom: Model, packed: Path, folder: Path
) -> None:
    folder.mkdir()
    (folder / ".unpacked-a.model.1-1.part").touch()
    stray, written = (folder / f".{copy_of(packed).name}.{name}.part" for name in ("2-2", "3-3"))
    # In the future: the clock was set back since.
    stray.touch()
    os.utime(stray, (2**33, 2**33))
    with written.open("wb") as file:
        assert try_lock(file.fileno())
        assert same(load(packed), classroom)
        # Another process writes this very copy.
        assert list(folder.iterdir()) == [written]
    assert same(load(packed), classroom)
    assert list(folder.iterdir()) == [copy_of(packed)]


@pytest.mark.parametrize("how", ["writable by others", "another user's", "a link"])
def test_a_copy_that_another_user_could_have_written_is_not_used(
    classroom: Model, packed: Path, tmp_path: Path, how: str
) -> None:
    """Whoever can write a copy could put any model in the place of one that is trusted."""
    load(packed)
    copy = copy_of(packed)
    planted = tmp_path / "planted.model"
    train([read_tree("(S (NP (NNP Mary)) (VP (VBD left)))")], tagger=False).save(planted)
    copy.unlink()
    if how == "a link":
        copy.symlink_to(planted)
    else:
        shutil.copy(planted, copy)
        copy.chmod(0o622 if how == "writable by others" else 0o600)
        if how == "another user's":
            if os.geteuid():
                pytest.skip("only root can give a file to another user")
            os.chown(copy, 12345, 12345)
    for _ in range(2):
        assert same(load(packed), classroom)
    assert copy.is_file() and not copy.is_symlink() and copy.stat().st_mode & 0o777 == 0o600
    assert copy.stat().st_uid == os.geteuid() and planted.exists()


def test_a_model_cannot_be_made_so_that_its_copy_takes_the_place_of_another(packed: Path, tmp_path: Path) -> None:
    """Size, time and checksum of a file are its author's to choose."""
    other = tmp_path / "other.model"
    shutil.copy2(packed, other)
    assert other.stat().st_mtime_ns == packed.stat().st_mtime_ns
    assert copy_of(other) != copy_of(packed)


def test_the_copy_of_one_file_is_not_that_of_another(packed: Path) -> None:
    status = packed.stat()
    # One that was written in the same moment, and whose header has the same checksum.
    times = {"st_mtime_ns": status.st_mtime_ns, "st_ctime_ns": status.st_ctime_ns}
    other = os.stat_result((status[0], status.st_ino + 1, *status[2:]), times)
    assert (other.st_mtime_ns, other.st_size) == (status.st_mtime_ns, status.st_size)
    assert place_of_copy(packed, other) != place_of_copy(packed, status) == copy_of(packed)
