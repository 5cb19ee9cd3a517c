"""Training from Python: sources, what the model says of itself, progress and cancelling."""

from __future__ import annotations

import json
import os
import unicodedata
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

import engine
from engine.chart.parser import Parser
from engine.common.errors import Cancelled, EngineError, ModelError, SentenceError, TreeError
from engine.compiled.kernel import COMPILED, compiled_kernels, running
from engine.counts.counting import table_sizes
from engine.counts.specifications_layout import TABLES
from engine.counts.tables import most_tags, prune, table_contexts, too_many_names
from engine.gate.array_file import read_arrays, write_arrays
from engine.model.model import RUN_RECORD, Model
from engine.study.provenance import fingerprint
from engine.training.train import COUNTING_STAGE, READING_STAGE, TAGGING_STAGE, TrainingOptions, run_training, train
from engine.trees.reading import read_brackets
from engine.trees.tree import Tree
from engine.trees.treebank import BadTrees, corpus_name, read_treebank
from tests.engine.command_runner import Cli


def saved(model: Model, path: Path) -> bytes:
    model.save(path)
    return path.read_bytes()


def test_files_and_trees_give_the_same_counts(classroom: Model, classroom_treebank: Path, tmp_path: Path) -> None:
    trees = [tree for tree in read_brackets(classroom_treebank.read_text()) if isinstance(tree, Tree)]
    from_trees = engine.train(trees)
    assert from_trees.vocabulary == classroom.vocabulary
    from_trees.metadata["corpora"] = ["classroom.ptb"]
    again = engine.train([classroom_treebank])
    assert saved(from_trees, tmp_path / "a") == saved(again, tmp_path / "b")


def test_a_word_is_one_word_however_its_accents_are_written(cli: Cli, tmp_path: Path) -> None:
    """As one character (NFC, most systems) or as two (NFD, files of some others)."""
    whole = "(S (NP (NNP Zoé)) (VP (VBD ran) (PP (IN to) (NP (DT the) (NN café)))) (. .))\n" * 3
    parts = unicodedata.normalize("NFD", whole)
    assert parts != whole
    models = []
    for name, text in (("whole", whole), ("parts", parts)):
        (tmp_path / f"{name}.ptb").write_text(text)
        models.append(engine.train([tmp_path / f"{name}.ptb"]))
        models[-1].metadata["corpora"] = []
    # The very same file, but for when it was made.
    assert saved(models[0], tmp_path / "whole.model") == saved(models[1], tmp_path / "parts.model")
    sentence = "Zoé/NNP ran/VBD to/IN the/DT café/NN ./."
    parser = Parser.preset(models[0], 3)
    found = [parser.parse(text) for text in (sentence, unicodedata.normalize("NFD", sentence))]
    assert found[0].log_probability == found[1].log_probability
    lookups = [cli("lookup", word, "--model", tmp_path / "whole.model").out for word in ("café", "cafe\u0301")]
    assert lookups[0] == lookups[1] != ""
    searches = [cli("search", word, tmp_path / "parts.ptb").out for word in ("café", "cafe\u0301", "/^café/", "i@CAFÉ")]
    assert len(set(searches)) == 1 and len(searches[0].splitlines()) == 3


def test_a_model_says_what_it_was_trained_on(classroom_treebank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ptb"
    other.write_text("(S (-NONE- *))\n(X (. .))\n(S (NP (NN a)) (VP (VBD b)))\n(S (NN x) y)\n")
    bad = BadTrees()
    model = engine.train([classroom_treebank, other], on_bad=bad, credits=["first", "second"])
    about = model.metadata
    assert about["corpora"] == ["classroom.ptb", "other.ptb"]
    assert about["credits"] == ["first", "second"]
    assert (about["trees"], about["sentences"], about["skipped"]) == (133, 131, 1)
    assert len(bad) == 1
    assert "/" not in str(about)


def test_corpus_names_are_never_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert corpus_name("/home/somebody/wsj/") == "wsj"
    assert corpus_name("a/b.ptb") == "b.ptb"
    assert corpus_name("-") == "standard input"
    monkeypatch.chdir(tmp_path)
    assert corpus_name(".") == tmp_path.name


def test_progress_runs_through_all_stages(classroom_treebank: Path) -> None:
    told = []
    engine.train([classroom_treebank], progress=lambda stage, share: told.append((stage, share)))
    stages = [stage for stage, _ in told]
    assert stages == sorted(stages, key=[READING_STAGE, COUNTING_STAGE, TAGGING_STAGE].index)
    for stage in (READING_STAGE, COUNTING_STAGE, TAGGING_STAGE):
        shares = [share for name, share in told if name == stage]
        assert shares[0] == 0.0 and shares[-1] == 1.0 and shares == sorted(shares)


def test_training_can_be_cancelled_in_any_stage(classroom_treebank: Path) -> None:
    for stage in (READING_STAGE, COUNTING_STAGE, TAGGING_STAGE):
        reached: list[str] = []

        def note(name: str, share: float, reached: list[str] = reached) -> None:
            reached.append(name)

        with pytest.raises(Cancelled):
            engine.train([classroom_treebank], progress=note, cancelled=partial(reached.__contains__, stage))
        assert reached[-1] == stage


def test_bad_trees_raise_without_a_handler(tmp_path: Path) -> None:
    path = tmp_path / "f.ptb"
    path.write_text("(S (NN a))\n\n  (S (NP) (NN b))\n")
    with pytest.raises(TreeError) as caught:
        engine.train([path])
    assert (caught.value.name, caught.value.line, caught.value.column) == (str(path), 3, 6)


def test_nothing_to_train_on_is_said(tmp_path: Path) -> None:
    path = tmp_path / "f.ptb"
    path.write_text("(S (-NONE- *))\n")
    with pytest.raises(EngineError, match="no trees to train on"):
        engine.train([path])
    with pytest.raises(EngineError, match="no trees to train on"):
        engine.train([])


def test_other_head_rules_are_used_and_kept(classroom_treebank: Path, tmp_path: Path, classroom: Model) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("* right\n")
    model = engine.train([classroom_treebank], head_rules=rules)
    assert model.rules.text == "* right\n"
    assert model.vocabulary.triples != classroom.vocabulary.triples
    model.save(tmp_path / "m")
    assert engine.load(tmp_path / "m").rules.text == "* right\n"
    with pytest.raises(EngineError, match="head rules"):
        engine.train([classroom_treebank], head_rules=tmp_path / "missing")


def test_a_full_disk_leaves_what_was_there(classroom: Model, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = tmp_path / "m"
    path.write_text("what was there")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
        with pytest.raises(EngineError, match="could not be written"):
            classroom.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert os.listdir(tmp_path) == ["m"]
    assert path.read_text() == "what was there"


def test_the_tagger_learns_every_token_and_is_kept(classroom: Model, classroom_treebank: Path, tmp_path: Path) -> None:
    tagger = classroom.tagger
    assert tagger is not None
    leaves = [leaf for tree in read_treebank([classroom_treebank]) for leaf in tree.leaves()]
    assert tagger.metadata()["training"]["words"] == len(leaves)
    assert set(tagger.tags) == {leaf.label for leaf in leaves} > set(classroom.vocabulary.tags)
    sentence = ["The", "teacher", "saw", "the", "dog", "."]
    assert tagger.tag(sentence) == ["DT", "NN", "VBD", "DT", "NN", "."]
    # The same tagger before and after the file.
    fresh = engine.train([classroom_treebank]).tagger
    assert fresh is not None
    assert (fresh.distribution(sentence)[1] == tagger.distribution(sentence)[1]).all()


def test_one_tree_is_enough() -> None:
    model = engine.train([engine.read_tree("(S (NP (NNP John)) (VP (VBD left)) (. .))")])
    assert model.tagger is not None
    assert model.tagger.tag(["John", "left", "."]) == ["NNP", "VBD", "."]


def test_the_tagger_can_be_left_out(classroom_treebank: Path, tmp_path: Path) -> None:
    told = []
    model = engine.train([classroom_treebank], tagger=False, progress=lambda stage, share: told.append(stage))
    assert model.tagger is None and TAGGING_STAGE not in told
    assert model.metadata["without_tagger"] == "left out"
    model.save(tmp_path / "m")
    loaded = engine.load(tmp_path / "m")
    assert loaded.tagger is None and loaded.metadata == model.metadata
    assert "tagger" not in str(sorted(read_arrays(tmp_path / "m")[1]))


def test_a_tagger_that_cannot_be_trained_is_left_out_and_told_of(
    monkeypatch: pytest.MonkeyPatch, classroom_treebank: Path
) -> None:
    def fail(*arguments: object) -> NoReturn:
        raise SentenceError("there are more tags than the tagger has room for")

    monkeypatch.setattr("engine.training.train.tagger_of", fail)
    model = engine.train([classroom_treebank])
    assert model.tagger is None
    assert model.metadata["without_tagger"] == "there are more tags than the tagger has room for"
    assert Parser.preset(model).parse("John/NNP left/VBD").tree.brackets() == "(S (NP (NNP John)) (VP (VBD left)))"


def test_a_damaged_tagger_is_refused(classroom_model: Path, tmp_path: Path) -> None:
    metadata, arrays = read_arrays(classroom_model)
    path = tmp_path / "damaged"
    write_arrays(path, metadata, arrays | {"tagger_keys": arrays["tagger_keys"][1:]})
    with pytest.raises(
        ModelError, match=r"damaged: the model cannot be used: its tagger is damaged: .*; train it again"
    ):
        engine.load(path)
    write_arrays(path, metadata | {"tagger": {"format": 999}}, arrays)
    with pytest.raises(ModelError, match="tagger has format 999"):
        engine.load(path)


def test_in_preset_five_a_weight_is_as_good_as_reading_the_file_again(classroom_treebank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ptb"
    other.write_text("(S (NP (NNP Ann)) (VP (VBD slept)) (. .))\n")
    weighed = train([classroom_treebank, other], weights=[2, 3], tagger=False)
    repeated = train([classroom_treebank] * 2 + [other] * 3, tagger=False)
    for table in range(len(TABLES)):
        weighted, same = table_contexts(weighed.counts.weighted, table), table_contexts(repeated.counts, table)
        assert np.array_equal(weighted.keys, same.keys) and np.array_equal(weighted.deltas, same.deltas)
    assert weighed.metadata["sentences"] == 131
    with pytest.raises(EngineError, match="one for each treebank"):
        train([classroom_treebank], weights=[1, 2])


def test_a_compact_model_keeps_what_was_counted(classroom_treebank: Path, tmp_path: Path) -> None:
    whole = train([classroom_treebank], tagger=False)
    compact = train([classroom_treebank], tagger=False, compact=True)
    assert len(compact.counts.contexts) < len(whole.counts.contexts) * 2 / 3
    assert len(prune(whole.counts, {}).contexts) == len(whole.counts.contexts)
    for (name, before, counted), (_, after, still) in zip(
        table_sizes(whole.counts), table_sizes(compact.counts), strict=True
    ):
        assert after <= before
        assert still == counted or name.startswith("gap: both")
    whole.save(tmp_path / "whole")
    compact.save(tmp_path / "compact", packed=True)
    assert (tmp_path / "compact").stat().st_size < (tmp_path / "whole").stat().st_size / 3
    sentence = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./."
    loaded = Model.load(tmp_path / "compact")
    assert (
        Parser.preset(loaded, 3).parse(sentence).log_probability
        == Parser.preset(compact, 3).parse(sentence).log_probability
    )
    assert Parser.preset(loaded, 3).parse(sentence).tree == Parser.preset(whole, 3).parse(sentence).tree


def test_an_altered_packed_file_is_refused(classroom_treebank: Path, tmp_path: Path) -> None:
    path = tmp_path / "model"
    train([classroom_treebank], tagger=False).save(path, packed=True)
    content = bytearray(path.read_bytes())
    for place in (len(content) // 2, len(content) - 100):
        changed = content.copy()
        changed[place] ^= 0xFF
        path.write_bytes(changed)
        with pytest.raises(ModelError, match="altered"):
            Model.load(path)
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ModelError, match="cut short"):
        Model.load(path)


@pytest.mark.parametrize("compact", [False, True])
def test_a_model_just_trained_is_to_the_compiler_what_one_from_a_file_is(
    compact: bool, classroom_treebank: Path, tmp_path: Path
) -> None:
    """Else every kernel is compiled a second time at the first parse, which takes half a minute and more."""

    def parse(model: Model) -> dict[str, int]:
        """Parse in every way; return for how many kinds of arguments every kernel is compiled by then."""
        for preset in range(1, 6):
            parser = Parser.preset(model, preset)
            parser.parse(model.tag(["Mary", "saw", "the", "man", "with", "a", "telescope", "."]), n_best=3).ledger()
        kernels = {name: name.rpartition(".") for name in compiled_kernels()}
        return {
            name: len(getattr(import_module(module), function).entry.signatures)
            for name, (module, _, function) in kernels.items()
        }

    trained = engine.train([classroom_treebank], compact=compact)
    trained.save(tmp_path / "model")
    with running(COMPILED):
        opened = parse(engine.load(tmp_path / "model"))
        assert opened and parse(trained) == opened


def test_the_126th_tag_is_refused_in_one_sentence_that_names_the_rarest() -> None:
    def trees(number: int) -> list[Tree]:
        return [engine.read_tree(f"(S (NP (T{tag} dog)) (VP (VBD ran)))") for tag in range(number)]

    # VBD is one more; punctuation is none of those that are counted.
    assert len(train([*trees(most_tags() - 1), engine.read_tree("(S (UH yes) (. .))")][1:]).vocabulary.tags) == 125
    for number in (125, 200):
        with pytest.raises(EngineError) as raised:
            train(trees(number), tagger=False)
        assert str(raised.value).startswith(
            f"there are {number + 1} tags besides punctuation, and a model can hold 125"
        )
        assert "for instance T0 (1), T1 (1), " in str(raised.value) and "VBD" not in str(raised.value)


def test_more_words_than_keys_have_room_for_are_told_with_how_many_there_may_be() -> None:
    tags = {f"T{number}": 1 for number in range(40)}
    assert (
        too_many_names(2**19 - 1, 60, tags)
        == too_many_names(2**18 - 1, 60, dict.fromkeys(map(str, range(125)), 1))
        == ""
    )
    told = too_many_names(2**19, 60, tags)
    assert "524,288 different words" in told and "with its 40 tags a model can hold 524,287" in told


# One run of training: its record in the model, what was left out, and that nothing else differs from run to run.


BROKEN = "(S (NN a)))\n(S (NN b) c)\n(S (NN d)))\n(S (-NONE- *))\n"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.ptb"
    path.write_text(BROKEN)
    return path


def test_a_model_keeps_the_record_of_its_training(
    cli: Cli, tmp_path: Path, classroom_treebank: Path, broken: Path
) -> None:
    target = tmp_path / "m.model"
    ran = cli("train", classroom_treebank, broken, "-o", target, "--skip-bad", "--json")
    printed = json.loads(ran.out)
    model = engine.load(target)
    run = model.metadata[RUN_RECORD]
    assert printed["run"] == run and ran.status == 1
    assert list(run["stages"]) == [READING_STAGE, COUNTING_STAGE, TAGGING_STAGE]
    assert 0 < sum(run["stages"].values()) <= run["seconds"] + 0.01
    assert run["memory_bytes"] is None or run["memory_bytes"] > 10_000_000
    assert model.metadata["left_out"]["reasons"][0] == ["a ) that closes nothing", 2]
    assert model.metadata["left_out"]["first"][1] == [
        "broken.ptb", 2, 11, "the word 'c' stands inside (S …) without a tag",
    ]  # fmt: skip
    assert str(tmp_path) not in json.dumps(model.metadata), "a model tells nobody where its treebank lay"
    assert sum(table["contexts"] for table in printed["tables"]) > 0
    told = cli("info", target).out
    for text in ("2 × a ) that closes nothing", "first: broken.ptb, line 1, column 11", "trained ", "counting: "):
        assert text in told
    assert json.loads(cli("info", target, "--json").out)["run"] == run


def test_only_the_record_differs_from_run_to_run(tmp_path: Path, classroom_treebank: Path, broken: Path) -> None:
    names = ("one", "two", "three", "four")
    jobs, records = (1, 2, 1, 2), (True, True, False, False)
    models = []
    for name, count, record in zip(names, jobs, records, strict=True):
        output = str(tmp_path / name)
        options = TrainingOptions(
            (str(classroom_treebank), str(broken)), output, skip_bad=True, jobs=count, record=record, tagger=False
        )
        models.append(run_training(options, lambda stage, share: None))
    files = [(tmp_path / name).read_bytes() for name in names]
    assert files[2] == files[3] and files[0] != files[1]
    assert len({fingerprint(model) for model in models}) == 1
    for name in names[:2]:
        model = engine.load(tmp_path / name)
        del model.metadata[RUN_RECORD]
        model.save(tmp_path / "without")
        assert (tmp_path / "without").read_bytes() == files[2]


@pytest.mark.parametrize("moment", [0, 1, 3, 6, 20])
def test_a_cancelled_run_leaves_nothing(tmp_path: Path, classroom_treebank: Path, moment: int) -> None:
    told = 0

    def cancelled() -> bool:
        nonlocal told
        told += 1
        return told > moment

    folder = tmp_path / "models"
    folder.mkdir()
    options = TrainingOptions((str(classroom_treebank),), str(folder / "m.model"))
    with pytest.raises(Cancelled):
        run_training(options, lambda stage, share: None, cancelled=cancelled)
    assert not list(folder.iterdir())
