"""Headlines of whole parses: the best one, the n-th best, and what in it is least sure."""

from __future__ import annotations

from engine.analysis.headlines.attachment_headlines import arrow_headline
from engine.analysis.headlines.explained_parse import CLEAR_NATS, TIE_NATS, ExplainedParse, Rival
from engine.analysis.headlines.factor_words import factor_text
from engine.analysis.headlines.gap_headlines import gap_headline
from engine.analysis.headlines.headline import Closeness, DecidedBy, Headline
from engine.analysis.headlines.wording import amount, capital, change, log_probability, ordinal, times_as_probable
from engine.analysis.parse_differences import difference_name
from engine.analysis.vote_shares import TOLERANCE, percent, told_apart
from engine.estimates.dependency_probabilities import ROOT
from engine.estimates.ledger import Difference, align

MOST_UNSURE = 3
_ORDER = (Closeness.UNLIKELIER, Closeness.TIE, Closeness.LIKELIER)


def parse_headline(explained: ExplainedParse) -> Headline:
    """What a parse is among the n best: chosen by how much, over what, and by what; or how far behind."""
    if explained.parse.fallback:
        return _fragments(explained)
    if not explained.is_chosen:
        return _alternative(explained)
    parse, rival = explained.parse, explained.rival(lambda one: False)
    reasons = _remarks(explained)
    if rival is None:
        # Asked for one parse alone, or there is no other.
        told = f"This is the best parse, with log P {log_probability(parse.log_probability)}."
        return Headline(told, tuple((*reasons, *_costs(explained))[:3]), None, None)
    choice = explained.choice(lambda one: False, True, tie=True)
    name = difference_name(rival.parse, parse)
    by_log = choice.rival
    assert by_log is not None
    match choice.decided_by:
        case DecidedBy.VOTE:
            own, others = _percents(parse.expected_f1, rival.parse.expected_f1)
            told = (
                f"This parse was voted for, with expected F1 {own}. Another ({name}) scores {amount(rival.score)} "
                f"higher, but its expected F1 is {others}."
            )
            how_close = Closeness.TIE if rival.score < TIE_NATS else Closeness.UNLIKELIER
        case DecidedBy.RERANKER:
            named = difference_name(by_log.parse, parse)
            ahead = f"another one is {amount(by_log.log)} ahead"
            if by_log.log < TIE_NATS:
                ahead = "another one is nearly a tie"
            told = f"The re-ranker chose this parse. By log P alone {ahead}: {named}."
            how_close = Closeness.UNLIKELIER if by_log.log > TIE_NATS else Closeness.TIE
        case _:
            how_close, told = _ahead(rival, name)
    reasons += _turning_point(explained, rival)
    if parse.expected_f1 is not None and choice.decided_by is not DecidedBy.VOTE:
        reasons.append(f"Its expected F1 over the list is {percent(parse.expected_f1)}, the highest of all.")
    return Headline(told, tuple((*reasons, *_costs(explained))[:3]), how_close, choice.decided_by)


def _ahead(rival: Rival, name: str) -> tuple[Closeness, str]:
    lead = -rival.score
    how = f"{amount(lead)} ahead in score of" if rival.reranked else f"{times_as_probable(lead)} as"
    if lead < TIE_NATS:
        return Closeness.TIE, f"This is the best parse, but nearly a tie: it is {how} the next ({name})."
    if lead < CLEAR_NATS:
        return Closeness.LIKELIER, f"This is the best parse. It is {how} the next ({name})."
    return Closeness.CLEAR, f"This is clearly the best parse. It is {how} the next ({name})."


def _alternative(explained: ExplainedParse) -> Headline:
    """The n-th best: how it differs from the best, and how far it is behind."""
    parse, best = explained.parse, explained.chosen
    named = "chosen" if best.votes is not None else "best"
    told = (
        f"This is the {ordinal(explained.rank)} of the list. Against the {named} parse: {difference_name(parse, best)}."
    )
    log, score = parse.log_probability - best.log_probability, parse.score - best.score
    reranked = any(abs(one.score - one.log_probability) > TOLERANCE for one in (parse, best))
    reasons = _remarks(explained)
    if reranked:
        reasons.append(f"Its score is {_behind(score)}: log P {change(log)}, re-ranker {change(score - log)}.")
    elif log <= -0.005:
        reasons.append(f"The {named} parse is {times_as_probable(-log)}.")
    else:
        reasons.append(f"Its log P is {_behind(log)}.")
    if parse.expected_f1 is not None and best.expected_f1 is not None:
        own, others = _percents(parse.expected_f1, best.expected_f1)
        reasons.append(f"Its expected F1 is {own}, that of the chosen parse {others}.")
    against = Rival(best, 1, -log, -score, reranked)
    reasons += _turning_point(explained, against)
    return Headline(told, tuple(reasons[:3]))


def _percents(first: float | None, second: float | None) -> tuple[str, str]:
    """Two expected F1 told apart; none at all is 0 % without decimals."""
    own, others = told_apart(first, second)
    return own if first else "0 %", others if second else "0 %"


def _behind(difference: float) -> str:
    if abs(difference) < 0.005:
        return "the same"
    return f"{amount(difference)} {'higher' if difference > 0 else 'lower'}"


def _turning_point(explained: ExplainedParse, rival: Rival) -> list[str]:
    """The factor that speaks most for the parse against a rival, of those that a linguist would call a reason."""
    lines, _ = align(explained.own_factors, explained.parses.own_factors(rival.parse))
    own = [line for line in lines if line.difference >= 0.005]
    if not own:
        return []
    return [f"{capital(_speaks(explained, own[0]))}."]


def _speaks(explained: ExplainedParse, line: Difference) -> str:
    first, second, gained = line.first, line.second, amount(line.difference)
    if first is not None and second is not None:
        mine, theirs = factor_text(explained, first), factor_text(explained, second)
        if mine == theirs:
            return f"what speaks most for it is {mine}, which costs {gained} less here"
        return f"what speaks most for it is {mine}, {gained} better than {theirs}"
    if first is not None:
        return f"what speaks most for it is {factor_text(explained, first)}, {gained} better than nothing"
    assert second is not None
    return f"what speaks most for it is that it does not pay for {factor_text(explained, second)}: {gained}"


def _costs(explained: ExplainedParse) -> list[str]:
    dearest = min(explained.own_factors, key=lambda factor: factor.log, default=None)
    if dearest is None or dearest.log > -0.005 or not dearest.probability:
        return []
    return [f"What costs it most is {factor_text(explained, dearest)}: {amount(dearest.log)} in log P."]


def _remarks(explained: ExplainedParse) -> list[str]:
    parse = explained.parse
    if parse.note:
        return [f"{capital(parse.note)}."]
    if parse.beam > parse.settings.beam:
        return ["Nothing was found within the beam, which was widened."]
    return []


def _fragments(explained: ExplainedParse) -> Headline:
    pieces = len(explained.parse.roots)
    whole = "one fragment covers" if pieces == 1 else f"{pieces} fragments cover"
    reason = "To look for a tree is too much work" if explained.parse.given_up else "No tree spans the sentence"
    return Headline(f"{reason}; {whole} it.", tuple(_costs(explained)[:1]))


def least_sure(explained: ExplainedParse, most: int = MOST_UNSURE) -> list[Headline]:
    """The headlines of the attachments and gaps that are least sure, the least sure first."""
    if explained.parse.fallback:
        return []
    arrows = [arrow_headline(explained, word) for word, head in explained.heads.items() if head != ROOT]
    gaps = [gap_headline(explained, position) for position in range(1, len(explained.words))]
    unsure = [one for one in (*arrows, *gaps) if one.closeness in _ORDER or _decided_elsewhere(one)]
    unsure.sort(key=lambda one: _ORDER.index(one.closeness) if one.closeness in _ORDER else len(_ORDER))
    return unsure[:most]


def _decided_elsewhere(headline: Headline) -> bool:
    return headline.decided_by in (DecidedBy.RERANKER, DecidedBy.VOTE)
