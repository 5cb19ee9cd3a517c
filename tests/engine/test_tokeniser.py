"""The tokeniser and sentence splitter: Penn's conventions, offsets that hold, and no text that breaks them."""

from __future__ import annotations

import dataclasses
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.tokeniser import Token, find_sentences, sentence_ends, split_sentences, tokenise
from engine.trees.reading import read_tree
from engine.trees.tree import penn_form

UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u2060\ufeff]")


def forms(text: str, split_hyphens: bool = True) -> str:
    """All forms of a text with spaces between them."""
    return " ".join(token.text for token in tokenise(text, split_hyphens))


def sentences(text: str) -> list[str]:
    """The forms of a text, a string to a sentence."""
    return [" ".join(token.text for token in sentence) for sentence in split_sentences(text)]


def check(text: str, split_hyphens: bool = True) -> list[Token]:
    """Everything that must hold of the tokens of any text at all."""
    found = split_sentences(text, split_hyphens)
    tokens = tokenise(text, split_hyphens)
    assert all(found), "a sentence is empty"
    assert [token for sentence in found for token in sentence] == tokens
    position = 0
    for token in tokens:
        assert position <= token.start < token.end <= len(text)
        gap = text[position : token.start]
        assert not UNSEEN.sub("", gap).strip()
        assert token.text and not any(character.isspace() for character in token.text)
        assert not any(character.isspace() for character in token.original(text))
        assert "(" not in token.text and ")" not in token.text
        position = token.end
    assert not UNSEEN.sub("", text[position:]).strip()
    return tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They don't know it's gone.", "They do n't know it 's gone ."),
        ("I'll say we've won; they're sure I'm not.", "I 'll say we 've won ; they 're sure I 'm not ."),
        ("She'd've come", "She 'd 've come"),
        ("It wouldn't've worked", "It would n't 've worked"),
        ("I can't, won't and shan't.", "I ca n't , wo n't and sha n't ."),
        ("I’m sure you don’t", "I 'm sure you do n't"),
        ("DON'T SHOUT, IT'S LATE", "DO N'T SHOUT , IT 'S LATE"),
        ("I cannot stay, I'm gonna run and I gotta go.", "I can not stay , I 'm gon na run and I got ta go ."),
        ("Gimme that, lemme see, wanna bet", "Gim me that , lem me see , wan na bet"),
        ("Cannot is one word.", "Can not is one word ."),
        ("'Tis late and 'twas dark", "'T is late and 't was dark"),
        ("Let's go, y'all", "Let 's go , y' all"),
        ("John's dogs' bowls", "John 's dogs ' bowls"),
        ("the boss's desk", "the boss 's desk"),
        ("O'Neill left at five o'clock", "O'Neill left at five o'clock"),
        ("in the 1980's and the '90s", "in the 1980's and the '90s"),
        ("Tell 'em rock 'n' roll is goin' on", "Tell 'em rock 'n' roll is goin' on"),
        ("AT&T's plan", "AT&T 's plan"),
    ],
)
def test_contractions_and_possessives(text: str, expected: str) -> None:
    assert forms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It cost $1.18 billion, up 5%.", "It cost $ 1.18 billion , up 5 % ."),
        ("shares at 66 3/8, then 1/2", "shares at 66 3/8 , then 1/2"),
        ("10,000 people at 4:30 p.m. on 9/11", "10,000 people at 4:30 p.m. on 9/11"),
        ("£5, €6 and US$7", "£ 5 , € 6 and US$ 7"),
        ("fell -5 and .5 points", "fell -5 and .5 points"),
        ("see [2,3] and 2, 3", "see [ 2 , 3 ] and 2 , 3"),
        ("the 19th of May, 1990s", "the 19th of May , 1990s"),
        ("at 20°C or 20 °F", "at 20 °C or 20 °F"),
        ("call 555-1234 on 2024-05-06", "call 555-1234 on 2024-05-06"),
        ("pages 8–10 of 1990-95", "pages 8 - 10 of 1990 - 95"),
        ("version 2.0.1 is out", "version 2.0.1 is out"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert forms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('He said "no" twice.', "He said `` no '' twice ."),
        ('"No," he said.', "`` No , '' he said ."),
        ('(The "best" one.)', "-LRB- The `` best '' one . -RRB-"),
        ('a " b " c', "a `` b '' c"),
        ("“Yes,” she said, ‘maybe’.", "`` Yes , '' she said , ` maybe ' ."),
        ("He called it 'odd' once", "He called it ` odd ' once"),
        ("«Oui» and „Nein“", "`` Oui '' and `` Nein ''"),
        ("``quoted'' already", "`` quoted '' already"),
        ("''quoted'' oddly", "`` quoted '' oddly"),
        ("He met 'the man from Berlin' there", "He met ` the man from Berlin ' there"),
        ("{a} [b] (c)", "-LCB- a -RCB- [ b ] -LRB- c -RRB-"),
        ("-LRB- c -RRB-", "-LRB- c -RRB-"),
        ("your friend(s) came", "your friend-LRB-s-RRB- came"),
        ("Wait... what… no....", "Wait ... what ... no ... ."),
        ("Hm.. er......... ……", "Hm ... er ... ..."),
        ("What?! No!!", "What ? ! No ! !"),
        ("one -- two—three – four", "one -- two -- three -- four"),
        ("a ---- b", "a -- b"),
        ("co\u00adoperate \ufeffnow", "cooperate now"),
        ("\ufeffA\0dog\x1b saw\u200bus\u2060.\x9f", "A dog saw us ."),
    ],
)
def test_quotes_brackets_and_dashes(text: str, expected: str) -> None:
    assert forms(text) == expected


def test_open_quote_is_forgotten_at_a_blank_line() -> None:
    assert forms('A " b\n\nC " d').count("``") == 2


@pytest.mark.parametrize(
    ("text", "split", "whole"),
    [
        ("a state-of-the-art test", "a state - of - the - art test", "a state-of-the-art test"),
        ("and/or", "and / or", "and/or"),
        ("non-profit re-elected e-mail", "non-profit re-elected e-mail", "non-profit re-elected e-mail"),
        ("a non-English-speaking host", "a non-English - speaking host", "a non-English-speaking host"),
        ("an over-the-counter drug", "an over - the - counter drug", "an over-the-counter drug"),
        ("a U.S.-based firm", "a U.S. - based firm", "a U.S.-based firm"),
        ("UN-backed", "UN - backed", "UN-backed"),
        ("a ten-fold rise", "a ten-fold rise", "a ten-fold rise"),
        ("two- or three-year plans", "two - or three - year plans", "two- or three-year plans"),
        ("I wh- what", "I wh- what", "I wh- what"),
        ("uh-huh and mm-hmm", "uh-huh and mm-hmm", "uh-huh and mm-hmm"),
        ("the well-known man's half-hearted don't-care face's", None, None),
        ("s/he paid w/o n/a", "s/he paid w/o n/a", "s/he paid w/o n/a"),
        ("a long‑lasting effect", "a long - lasting effect", "a long-lasting effect"),
    ],
)
def test_hyphens_split_or_kept(text: str, split: str | None, whole: str | None) -> None:
    check(text)
    check(text, split_hyphens=False)
    if split is not None:
        assert forms(text) == split
        assert forms(text, split_hyphens=False) == whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "See https://a.example/b_(c)?d=e-f, or www.x.org/y.",
            "See https://a.example/b_-LRB-c-RRB-?d=e-f , or www.x.org/y .",
        ),
        ("(at http://x.org)", "-LRB- at http://x.org -RRB-"),
        ("Mail a.b-c@x.co.uk!", "Mail a.b-c@x.co.uk !"),
        ("on my-site.com/a-b today", "on my-site.com/a-b today"),
        ("@someone wrote #thisthing, #1", "@someone wrote #thisthing , # 1"),
        ("thanks :-) bye", "thanks :--RRB- bye"),
        ("in C++ it's fine", "in C++ it 's fine"),
    ],
)
def test_addresses_and_marks(text: str, expected: str) -> None:
    assert forms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He lives in the U.S. The U.S. Senate met.", ["He lives in the U.S. .", "The U.S. Senate met ."]),
        ("We moved to the U.S.", ["We moved to the U.S. ."]),
        ('"We moved to Washington, D.C."', ["`` We moved to Washington , D.C. . ''"]),
        ("Mr. Smith of Atlanta, Ga., met Dr. J. K. Jones.", ["Mr. Smith of Atlanta , Ga. , met Dr. J. K. Jones ."]),
        ("Take plan B. It works.", ["Take plan B .", "It works ."]),
        ("See No. 5 in Fig. 2. He said no. So?", ["See No. 5 in Fig. 2 .", "He said no .", "So ?"]),
        ("Apples, pears, etc. are fruit.", ["Apples , pears , etc. are fruit ."]),
        ("We ate at 5 p.m. Monday. At 6 p.m. We left.", ["We ate at 5 p.m. Monday .", "At 6 p.m. .", "We left ."]),
        ("Some fruit, e.g. The Plum, is soft.", ["Some fruit , e.g. The Plum , is soft ."]),
        ("Really? Yes! Well...", ["Really ?", "Yes !", "Well ..."]),
        ('"Really?" he asked. "Go!" She went.', ["`` Really ? '' he asked .", "`` Go ! ''", "She went ."]),
        ("Yahoo! is old. it is.", ["Yahoo ! is old .", "it is ."]),
        (
            "He waited... and left. (She stayed.) Good.",
            ["He waited ... and left .", "-LRB- She stayed . -RRB-", "Good ."],
        ),
        ("It is so.[12] Others doubt it.[3, 4] Yes.", ["It is so . [ 12 ]", "Others doubt it . [ 3 , 4 ]", "Yes ."]),
        ("This is the end.The next begins.", ["This is the end .", "The next begins ."]),
        ("1. Wash it. 2. Dry it.", ["1 . Wash it .", "2 . Dry it ."]),
        ("P.S.", ["P.S."]),
        ("今天很好。明天呢？", ["今天很好 。", "明天呢 ？"]),
    ],
)
def test_sentences_and_final_periods(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_final_abbreviation_shares_no_character() -> None:
    text = "in the U.S."
    name, period = tokenise(text)[-2:]
    assert (name.text, name.original(text)) == ("U.S.", "U.S")
    assert (period.text, period.original(text)) == (".", ".")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A heading\n\nA line of\ntext", ["A heading", "A line of text"]),
        ("one\r\ntwo\r\n\r\nthree", ["one two", "three"]),
        ("It ended.\nit went on", ["It ended .", "it went on"]),
        ("He met Mr.\nSmith", ["He met Mr. Smith"]),
        ("To buy:\n- milk\n- bread", ["To buy :", "- milk", "- bread"]),
        ("page one\fpage two", ["page one", "page two"]),
        ("so.[1\n\n2] then", ["so . [ 1", "2 ] then"]),
    ],
)
def test_newlines(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \t\r\n\u00a0\u2028", 0),
        ("\x00\x01\x7f", 0),
        ("a\ud800b \udfff", 4),
        ("שלום עולם!", 3),
        ("مرحبا، كيف حالك؟", 5),
        ("東京は大きい", 1),
        ("नमस्ते दुनिया", 2),
        ("e\u0301te\u0301", 1),
        ("👩‍💻😀👍🏽 🇬🇧 ☎️", 5),
        ("می‌خواهم", 1),
        ("\u200b\u200b", 0),
    ],
)
def test_unusual_characters(text: str, count: int) -> None:
    assert len(check(text)) == count


def test_places_of_sentences() -> None:
    text = "  One.  Two three. "
    found = find_sentences(text)
    assert [text[sentence.start : sentence.end] for sentence in found] == ["One.", "Two three."]
    assert [len(sentence.tokens) for sentence in found] == [2, 3]


def test_tokens_are_fixed_values() -> None:
    token = Token("a", 0, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        token.text = "b"  # type: ignore[misc]
    assert token == Token("a", 0, 1) and not hasattr(token, "__dict__")
    assert sentence_ends([], "") == []


def test_tokenising_tokens_again_changes_little() -> None:
    text = "The dogs' owner, Ms. Lee, said \"it isn't (quite) over\" in the U.K. at 3 p.m. today."
    assert forms(forms(text)) == forms(text)


def test_forms_fit_into_a_tree() -> None:
    text = "f(x) {y} (see http://a.example/b_(c)) :-("
    bracketed = "(S " + " ".join(f"(X {token.text})" for token in tokenise(text)) + ")"
    assert read_tree(bracketed).words() == [token.text for token in tokenise(text)]


def test_forms_of_typographic_words() -> None:
    assert [penn_form(word) for word in ("n’t", "—", "“", "”", "(", "plain")] == [
        "n't",
        "--",
        "``",
        "''",
        "-LRB-",
        "plain",
    ]


WORDS = ["don't", "U.S.", "Mr.", "etc.", "'s", "n't", "non-", "cannot", "The", "the", "I", "B.", "e\u0301", "中"]
FIGURES = ["[1]", "1,000", "3/8", "4:30", "$", "%", "http://a.b/c", "a@b.cd", "#x", "😀", "\x00", "\ud800"]
MARKS = ['"', "'", "’", "“", "--", "—", "–", "-", "...", ".", "!", "?", ",", "(", ")", "/", "+", "@", "。"]
GAPS = [" ", "\n", "\n\n", "\r\n", "\u200d", "\u200b"]


@given(st.text(st.characters(exclude_categories=[])), st.booleans())
def test_any_text_can_be_put_together_again(text: str, split_hyphens: bool) -> None:
    check(text, split_hyphens)


@given(st.lists(st.sampled_from(WORDS + FIGURES + MARKS + GAPS), max_size=30).map("".join), st.booleans())
def test_any_mixture_can_be_put_together_again(text: str, split_hyphens: bool) -> None:
    check(text, split_hyphens)


@pytest.mark.robust
def test_two_megabytes() -> None:
    paragraph = (
        'Mr. Lee of the U.S. said: "We don\'t sell well-known goods (or any) for $1,000 a piece." '
        "Nobody was surprised by what the company's owners, who cannot agree, told the papers at 5 p.m. yesterday.\n"
        "The rest of the paragraph holds ordinary words, one after the other, until the line is full.\n\n"
    )
    text = paragraph * (2_000_000 // len(paragraph) + 1)
    started = time.process_time()
    found = split_sentences(text)
    # About two seconds where this was written; a quadratic step would take hours.
    assert time.process_time() - started < 30
    assert len(found) == 3 * text.count("\n\n")
    assert found[-1][-1].end == len(text) - 2


def test_one_endless_word() -> None:
    text = "x" * 100_000
    assert [token.text for token in check(text)] == [text]


WORDLIKE = ["a-", "a.", "a'", "a/", "1,", "'s", "n't", "a@", "www.", "http://a(", "U.S. ", "aa.Bb", "a.com"]
SYMBOLLIKE = [".[1", "(s", '"', "`", "-", "- ", "–", "!", "(", "\n ", " ", "\u200d", "👩\u200d", "A&", "+1-", "\x00"]


@pytest.mark.parametrize("piece", WORDLIKE + SYMBOLLIKE + ["ab- ", "goin'", "e\u0301", "a(s)", "中。"])
@pytest.mark.robust
def test_time_is_linear(piece: str) -> None:
    """A hundred thousand characters of anything, which a quadratic step would turn into minutes."""
    text = "x" + piece * (100_000 // len(piece))
    started = time.process_time()
    split_sentences(text)
    split_sentences(text, split_hyphens=False)
    assert time.process_time() - started < 30
    # What is found is checked on less of it, for the check itself is slow.
    check(text[:10_000])
