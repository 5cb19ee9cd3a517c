"""Text in: tags given and filled in, mixed notation, plain text in pieces, and no input that breaks any of it."""

from __future__ import annotations

import random
import re
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import EngineError, SentenceError, TaggedSentence
from engine.model.model import Model
from engine.tagger.tagger import TagDistribution, prune_lattice
from engine.text.tagged_text import MOST_TOKENS, Passage, read_mixed, sentences_of
from engine.text.tokeniser import find_sentences

SENTENCE = ["The", "teacher", "saw", "the", "dog", "."]


@pytest.fixture(scope="module")
def untagging(classroom_treebank: Path) -> Model:
    """A model without a tagger."""
    return engine.train([classroom_treebank], tagger=False)


# --- Model.tag ----------------------------------------------------------------------------------------------


def test_every_word_has_all_its_tags_the_most_probable_first(classroom: Model) -> None:
    found = classroom.tag(SENTENCE)
    assert classroom.tagger is not None
    best, matrix = classroom.tagger.distribution(SENTENCE)
    assert found.sentence == TaggedSentence(SENTENCE, best) and found.given == frozenset()
    assert best == ["DT", "NN", "VBD", "DT", "NN", "."]
    for row, choices in zip(matrix, found.choices, strict=True):
        assert dict(choices) == {
            tag: chance for tag, chance in zip(classroom.tagger.tags, row.tolist(), strict=True) if chance >= 1e-9
        }
        assert list(choices) == sorted(choices, key=lambda choice: (-choice[1], choice[0]))
        assert sum(chance for _, chance in choices) == pytest.approx(1)


def test_a_given_tag_stands_alone_and_changes_its_neighbours(classroom: Model) -> None:
    words = ["The", "saw", "slept"]
    free = classroom.tag(words)
    forced = classroom.tag(words, [None, "VBD", None])
    assert forced.choices[1] == (("VBD", 1.0),) and forced.given == {1}
    assert forced.sentence.tags[1] == "VBD"
    assert forced.choices[2] != free.choices[2]
    again = classroom.tag(words, free.sentence.tags)
    assert again.sentence == free.sentence and again.given == {0, 1, 2}
    assert again.choices == tuple(((tag, 1.0),) for tag in free.sentence.tags)


def test_a_given_tag_that_the_tagger_does_not_know_is_kept(classroom: Model) -> None:
    found = classroom.tag(SENTENCE, [None, "XYZ", None, None, None, None])
    assert found.sentence.tags[1] == "XYZ" and found.choices[1] == (("XYZ", 1.0),) and found.given == {1}
    assert found.choices[2] == classroom.tag(SENTENCE).choices[2]


def test_tags_for_other_words_than_there_are(classroom: Model) -> None:
    with pytest.raises(SentenceError, match="there are 2 words, but tags for 1 were given"):
        classroom.tag(["a", "b"], [None])


def test_nothing_to_tag(classroom: Model, untagging: Model) -> None:
    for model in (classroom, untagging):
        assert model.tag([]) == TagDistribution(TaggedSentence((), ()), ())
        assert model.read_tagged("  \t ") == TaggedSentence((), ())
        assert model.read_text(" \n\n ") == []


def test_without_a_tagger_one_clear_sentence(untagging: Model) -> None:
    for ask in (
        lambda: untagging.tag(["John", "left"], ["NNP", None]),
        lambda: untagging.read_tagged("John/NNP left"),
        lambda: untagging.read_text("John left."),
    ):
        with pytest.raises(EngineError, match=r"^the model has no tagger; .* train a model with one$"):
            ask()
    assert untagging.tag(["John"], ["NNP"]).sentence == TaggedSentence(["John"], ["NNP"])
    assert untagging.read_tagged("John/NNP left/VBD ./.") == TaggedSentence.parse("John/NNP left/VBD ./.")


def test_of_too_many_tags_the_likeliest_are_kept(classroom: Model) -> None:
    words = ["xyzzy", "qwerty", "plugh", "frobnicate", "foo"] * 8
    full = classroom.tag(words, ["JJ"] + [None] * 39)
    held = full.readings(1e4)
    assert sum(map(len, held)) > 3 * len(words)
    close = sum(map(len, full.readings(100)))
    assert close > 60
    # Nothing is done for a wide factor alone, nor to an ordinary sentence.
    assert prune_lattice(full, 1e4, close) is full
    ordinary = classroom.tag(["Mary", "saw", "the", "man", "."])
    assert prune_lattice(ordinary, 1e4) is ordinary
    short = classroom.tag(words[:5])
    held_of_short = sum(map(len, prune_lattice(short, 1e4).readings(1e4)))
    assert sum(map(len, short.readings(1e4))) > held_of_short == 5 * len(short.sentence.positions)
    thin = prune_lattice(full, 1e4, 60)
    assert thin.sentence == full.sentence and thin.given == full.given
    kept = thin.readings(1e4)
    assert sum(map(len, kept)) == 60
    ratios = [chance / tags[0][1] for tags in held for _, chance in tags]
    least = sorted(ratios, reverse=True)[59]
    for before, after, tag in zip(held, kept, full.sentence.proper_tags, strict=True):
        assert tag in dict(after) and set(after) <= set(before)
        assert {one for one, chance in before if chance > least * before[0][1]} <= set(dict(after))
    one_each = prune_lattice(full, 1e4, 10).readings(1e4)
    assert [[tag for tag, _ in tags] for tags in one_each] == [[tag] for tag in full.sentence.proper_tags]


# --- mixed notation -----------------------------------------------------------------------------------------

KNOWN = frozenset({"NN", "NNS", "NNP", "VBD", "DT", "IN", "CD", "CC", "PRP$", "-LRB-", ".", ",", ":", "``", "''"})


def mixed(text: str, split_hyphens: bool = True) -> list[str | tuple[str, str]]:
    """Tokens, those with a tag as pairs."""
    words, tags = read_mixed(text, KNOWN, split_hyphens)
    return [word if tag is None else (word, tag) for word, tag in zip(words, tags, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("saw/VBD the man", [("saw", "VBD"), "the", "man"]),
        ("I don't know/VBD it's", ["I", "do", "n't", ("know", "VBD"), "it", "'s"]),
        # A tagged token stands as it is, whatever the tokeniser would make of it.
        ("don't/NN can't", [("don't", "NN"), "ca", "n't"]),
        ("a (b) (/-LRB- x)/NN", ["a", "-LRB-", "b", "-RRB-", ("-LRB-", "-LRB-"), ("x-RRB-", "NN")]),
        # The last slash, if what follows is a tag.
        ("1/2/CD of and/or", [("1/2", "CD"), "of", "and", "/", "or"]),
        ("his/PRP$ 1/2 km/h", [("his", "PRP$"), "1/2", "km", "/", "h"]),
        ("//NN x", [("/", "NN"), "x"]),
        ('He left/VBD." So/XX?', ["He", ("left", "VBD"), ".", "''", ("So", "XX"), "?"]),
        ("left/VBD.", [("left", "VBD"), "."]),
        ("word/noun", ["word", "/", "noun"]),
        # Looks like a tag: one among tagged words, none in plain text.
        ("foo/XYZ dog/NN x", [("foo", "XYZ"), ("dog", "NN"), "x"]),
        ("foo/XYZ bar/ABC", [("foo", "XYZ"), ("bar", "ABC")]),
        ("the HIV/AIDS virus", ["the", "HIV", "/", "AIDS", "virus"]),
        ("on TCP/IP, not", ["on", "TCP", "/", "IP", ",", "not"]),
        ("an I/O port", ["an", "I", "/", "O", "port"]),
        ("./. a", [(".", "."), "a"]),
        ("coffee w/, say, milk", ["coffee", "w/", ",", "say", ",", "milk"]),
        ("coffee/NN w/, milk", [("coffee", "NN"), "w/", ",", "milk"]),
        ("w/, x/NN", [("w", ","), ("x", "NN")]),
        ("see http://x.org/ABC dog/NN", ["see", "http://x.org/ABC", ("dog", "NN")]),
        ("see http://x.org/NN it", ["see", ("http://x.org", "NN"), "it"]),
        # Escapes.
        (r"and\/or dog/NN", ["and", "/", "or", ("dog", "NN")]),
        (r"VBD\/NN x", ["VBD", "/", "NN", "x"]),
        (r"a\/b/NN x", [("a/b", "NN"), "x"]),
        (r"a\\/NN x", [("a\\", "NN"), "x"]),
        # Quotes find their partners over tagged words.
        ('" dog/NN " x', ["``", ("dog", "NN"), "''", "x"]),
        # What a tagged word is for its neighbours: a number, a name.
        ("see No. 5/CD now", ["see", "No.", ("5", "CD"), "now"]),
        ("Mr. Lee/NNP left.", ["Mr.", ("Lee", "NNP"), "left", "."]),
        ("John/", ["John", "/"]),
        ("", []),
    ],
)
def test_mixed_notation(text: str, expected: list[str | tuple[str, str]]) -> None:
    assert mixed(text) == expected


def tagged_words(model: Model, text: str) -> tuple[str, ...]:
    """The words that a model reads in text without tags."""
    found = model.read_tagged(text)
    assert isinstance(found, TagDistribution)
    return found.sentence.words


def test_hyphens_in_mixed_notation_as_the_treebank_has_them(classroom: Model) -> None:
    assert mixed("a well-known and/or x/NN")[:4] == ["a", "well", "-", "known"]
    assert mixed("a well-known and/or x/NN", split_hyphens=False) == ["a", "well-known", "and/or", ("x", "NN")]
    assert not classroom.splits_hyphens
    assert tagged_words(classroom, "a well-known dog") == ("a", "well-known", "dog")
    newer = engine.train([engine.read_tree("(NP (JJ well) (HYPH -) (JJ known) (NN dog))")])
    assert newer.splits_hyphens
    assert tagged_words(newer, "a well-known dog") == ("a", "well", "-", "known", "dog")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog/NN John/", r"word 2: `John/` has no tag after the slash"),
        ("/NN", r"word 1: `/NN` has no word before the slash"),
        ("the /NN", r"word 2: `/NN` has no word before the slash"),
    ],
)
def test_half_a_tag_is_an_error(text: str, message: str) -> None:
    with pytest.raises(SentenceError, match=message):
        mixed(text)


def test_given_tags_are_kept_and_missing_ones_filled(classroom: Model) -> None:
    found = classroom.read_tagged("The dog/NNP saw/NN the teacher.")
    assert isinstance(found, TagDistribution)
    assert found.sentence.words == ("The", "dog", "saw", "the", "teacher", ".")
    assert found.sentence.tags == ("DT", "NNP", "NN", "DT", "NN", ".") and found.given == {1, 2}
    assert classroom.read_tagged("The/DT dog/NN") == TaggedSentence(["The", "dog"], ["DT", "NN"])


@given(st.lists(st.tuples(st.text("ab/\\.,'\"(1", min_size=1), st.sampled_from(["NN", "DT", ".", "XY$"])), min_size=1))
def test_a_tagged_sentence_is_read_as_it_was_written(pairs: list[tuple[str, str]]) -> None:
    sentence = TaggedSentence(*zip(*pairs, strict=True))
    words, tags = read_mixed(str(sentence), KNOWN)
    expected = TaggedSentence.parse(str(sentence))
    assert (tuple(words), tuple(tags)) == (expected.words, expected.tags)


PIECES = [
    "don't",
    "a/NN",
    "b/",
    "/NN",
    "//",
    "\\",
    "\\/",
    "x/XYZ",
    "1/2",
    "(",
    '"',
    "http://a/B",
    "\x00",
    "\ud800",
    "中",
]


@given(st.one_of(st.text(st.characters(exclude_categories=[])), st.lists(st.sampled_from(PIECES)).map(" ".join)))
def test_any_text_is_mixed_notation_or_has_half_a_tag(text: str) -> None:
    try:
        words, tags = read_mixed(text, KNOWN)
    except SentenceError as error:
        assert "the slash" in str(error)
        return
    assert len(words) == len(tags)
    assert all(word and not set(word) & set(" ()\n") for word in words)


# --- plain text ---------------------------------------------------------------------------------------------


def chunked(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u2060\ufeff]")


def check_places(text: str, passages: list[Passage]) -> None:
    """What must hold of the sentences of any text, in whatever pieces it came."""
    tokens = [token for passage in passages for token in passage.sentence.tokens]
    position = 0
    for token in tokens:
        assert position <= token.start < token.end
        assert not UNSEEN.sub("", text[position : token.start]).strip()
        position = token.end
    assert not UNSEEN.sub("", text[position:]).strip()
    for sentence, original, line in passages:
        assert sentence.tokens and (sentence.start, sentence.end) == (
            sentence.tokens[0].start,
            sentence.tokens[-1].end,
        )
        assert original == text[sentence.start : sentence.end]
        before = text[: sentence.start]
        assert line == 1 + before.count("\n") + before.count("\r") - before.count("\r\n")


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=[])),
    st.lists(
        st.sampled_from(["Mr.", "U.S.", "The", "end.", '"', "so", "?", "\n", "\n\n", " ", "\r\n", ",", "a-b"])
    ).map("".join),
)


@given(TEXTS, st.integers(1, 50), st.integers(1, 60), st.integers(1, 10))
def test_any_text_in_any_pieces_can_be_put_together_again(text: str, size: int, window: int, most: int) -> None:
    passages = list(sentences_of(chunked(text.replace("\r", "\n"), size), True, most, window))
    check_places(text.replace("\r", "\n"), passages)
    assert all(len(passage.sentence.tokens) <= most for passage in passages)


@given(TEXTS)
def test_lines_give_the_sentences_of_the_whole_text(text: str) -> None:
    passages = list(sentences_of(text.splitlines(keepends=True), True, 10**9))
    check_places(text, passages)
    assert [passage.sentence for passage in passages] == find_sentences(text)


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    rng = random.Random(3)
    words = ["the", "dog", "in", "the", "U.S.", "saw", "Mr.", "Lee", "end.", "The", "cat", "(so)", "why?", "Yes"]
    text = " ".join(rng.choice(words) for _ in range(3000))
    whole = find_sentences(text)
    for window in (200, 1000):
        assert [passage.sentence for passage in sentences_of(chunked(text, 37), True, 10**9, window)] == whole


def test_a_sentence_without_end_is_cut_at_a_good_place() -> None:
    text = " ".join(["word"] * 120 + ["one;"] + ["word"] * 20 + ["two,"] + ["word"] * 300)
    lengths = [len(passage.sentence.tokens) for passage in sentences_of([text])]
    assert lengths == [122, MOST_TOKENS, 444 - 122 - MOST_TOKENS]
    check_places(text, list(sentences_of([text])))


def test_read_text_keeps_places_and_tags(classroom: Model) -> None:
    text = '  The dog slept. \n\n "Mary didn\'t see John," the teacher said.'
    found = classroom.read_text(text)
    assert [text[sentence.start : sentence.end] for sentence, _ in found] == [
        "The dog slept.",
        '"Mary didn\'t see John," the teacher said.',
    ]
    for sentence, tags in found:
        assert tags == classroom.tag([token.text for token in sentence.tokens])
    assert str(found[0][1].sentence) == "The/DT dog/NN slept/VBD ./."
    assert [token.original(text) for token in found[1][0].tokens] == (
        ['"', "Mary", "did", "n't", "see", "John", ",", '"', "the", "teacher", "said", "."]
    )


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_can_be_tagged(classroom: Model, text: str) -> None:
    for sentence, tags in classroom.read_text(text):
        assert tags.sentence.words == tuple(token.text for token in sentence.tokens)
        assert all(choices for choices in tags.choices)


@pytest.mark.parametrize(
    "piece",
    ["word ", "x", "中", "。", "שלום ", "\x00", "\n", "The end. ", '"', "a/NN ", "\\", "(", "\u200b", "1,"],
)
def test_a_long_text_passes_by_in_bounded_memory(piece: str) -> None:
    """One line of it, sixteen windows long: what is held is a window and its tokens."""
    window = 1 << 12
    text = piece * (16 * window // len(piece))
    tracemalloc.start()
    longest = 0
    for passage in sentences_of(chunked(text, 512), window=window):
        longest = max(longest, len(passage.sentence.tokens))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert longest <= MOST_TOKENS
    # Only one endless word is held whole.
    assert peak < (600 if piece in "x中\u200b" else 400) * window


def test_two_megabytes_of_text_take_seconds() -> None:
    """Half of them in one word; the rest without one blank line."""
    text = "x" * 1_000_000 + " It was so, and no other way. He said: don't!" * 20_000
    started = time.process_time()
    passages = sum(1 for _ in sentences_of(chunked(text, 1 << 14)))
    assert passages == 1 + 2 * 20_000 - 1
    # A second and a half where this was written; a quadratic step would take many minutes.
    assert time.process_time() - started < 30
