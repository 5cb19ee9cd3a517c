"""From the id of a thing (:mod:`explorer.graphics.drawing`) to its explanation."""

from __future__ import annotations

from engine.chart.parse import Parse
from engine.structure.dependencies import Relation
from explorer.document.sentence_parsing import ParseResult
from explorer.explanations.constituent_explanations import explain_cell, explain_entry, explain_node, explain_proposal
from explorer.explanations.dependency_explanations import explain_arrow, explain_pair
from explorer.explanations.explanation_blocks import Explanation
from explorer.explanations.parse_explanations import explain_parse
from explorer.explanations.word_explanations import explain_gap, explain_tag, explain_token, explain_word
from explorer.graphics.drawing import Id


def explain(answer: ParseResult, parse: Parse, id: Id | None) -> Explanation:
    """Explain what is selected; with nothing selected the parse as a whole.

    Beside the ids of pictures there are ``("proposal", number)`` and ``("entry", number)`` of the chart, and
    ``("candidate", modifier, head, relation)`` of a ranked list of heads.
    """
    match id:
        case ("word", int(position)) if position < len(parse.sentence.positions):
            return explain_word(answer, parse, position)
        case ("token", int(token)) if token < len(parse.sentence):
            return explain_token(parse, token)
        case ("tag", int(position), str(tag)):
            return explain_tag(answer, parse, position, tag)
        case ("gap", int(position)) if 0 < position < len(parse.sentence.positions):
            return explain_gap(answer, parse, position)
        case ("letter", int(position), str(letter)):
            return explain_gap(answer, parse, position, letter)
        case ("arrow", int(modifier)):
            return explain_arrow(answer, parse, modifier)
        case ("root",) if parse.roots:
            return explain_arrow(answer, parse, parse.roots[0].head)
        case ("matrix", int(modifier), int(head)):
            return explain_pair(answer, parse, modifier, head)
        case ("candidate", int(modifier), int(head), Relation() as relation):
            return explain_pair(answer, parse, modifier, head, relation)
        case ("node", int(start), int(end), str(label), *_):
            return explain_node(answer, parse, start, end, label)
        case ("cell", int(start), int(end)):
            return explain_cell(answer, parse, start, end)
        case ("proposal", int(number)):
            return explain_proposal(answer, parse, number)
        case ("entry", int(number)):
            return explain_entry(answer, parse, number)
    return explain_parse(answer, parse)
