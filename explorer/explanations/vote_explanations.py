"""The choice by expected F1 explained: shares of the vote, and why the highest score did not win."""

from __future__ import annotations

from engine.analysis.vote_shares import (
    bracket_text,
    loses_by_score,
    percent,
    share_text,
    strongest_others,
    vote_on,
    voted_choice,
    votes_of,
)
from engine.chart.parse import Parse
from engine.structure.constituents import JOINED
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.explanation_blocks import ExplanationBlock, Heading, Paragraph, Section, TableBlock

CONTESTED_SHOWN = 6
ABOUT = (
    "Every parse of the list votes for its constituents with its probability. Chosen is the parse that is most like "
    "all of them: the one of greatest expected F1."
)


def vote_blocks(result: ParseResult, parse: Parse) -> list[ExplanationBlock]:
    """What the vote says of a parse; nothing where parses are chosen by score."""
    votes = parse.votes
    if votes is None:
        return []
    words = parse.sentence.proper_words
    told = f"Expected F1 {percent(parse.expected_f1)} over a list of {votes.voters}."
    blocks: list[ExplanationBlock] = [Heading("Choice by expected F1", Section.VOTE), Paragraph(told)]
    highest = result.highest
    if parse is result.parse and highest is not None:
        blocks.append(Paragraph(voted_choice(parse, highest).text))
    elif parse is result.parse and not loses_by_score(parse):
        blocks.append(Paragraph("It has the highest score of the list, too."))
    contested = sorted((vote for vote in votes_of(parse) if vote.share < 0.995), key=lambda vote: vote.share)
    rows = [(bracket_text(vote.bracket, words), share_text(vote.share), "") for vote in contested[:CONTESTED_SHOWN]]
    rows += [
        (bracket_text(bracket, words), share_text(share), "not in it")
        for bracket, share in strongest_others(parse, CONTESTED_SHOWN)
    ]
    if rows:
        blocks.append(TableBlock(("contested constituent", "share of the vote", ""), tuple(rows), (1,)))
    blocks.append(Paragraph(ABOUT, True))
    return blocks


def constituent_vote(parse: Parse, label: str, start: int, end: int) -> list[ExplanationBlock]:
    """What one constituent got of the vote; nothing where there was none, or of what is not in the printed tree."""
    if parse.votes is None or label.endswith(JOINED):
        return []
    text = vote_on(parse.votes, label, start, end).text(parse.sentence.proper_words)
    return [Heading("Vote", Section.VOTE), Paragraph(text)]
