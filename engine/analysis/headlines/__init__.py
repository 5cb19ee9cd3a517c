"""Headlines: what the numbers behind a parse say, in one or two sentences and at most three reasons.

Inspector, ``parse-engine explain``, JSON and screen readers begin with these same sentences.
"""

from engine.analysis.headlines.attachment_headlines import arrow_headline, pair_headline
from engine.analysis.headlines.chart_headlines import cell_headline, edge_headline, item_headline
from engine.analysis.headlines.constituent_headlines import constituent_headline, restored_headline
from engine.analysis.headlines.explained_parse import ExplainedParse, ParseList
from engine.analysis.headlines.factor_headlines import (
    decision_headline,
    decisions_headline,
    feature_headline,
    features_headline,
    second_model_headline,
    unary_headline,
)
from engine.analysis.headlines.gap_headlines import gap_headline
from engine.analysis.headlines.headline import Closeness, DecidedBy, Headline
from engine.analysis.headlines.parse_headlines import least_sure, parse_headline
from engine.analysis.headlines.what_if_headlines import one_what_if_headline, what_if_headline
from engine.analysis.headlines.word_headlines import punctuation_headline, tag_headline, word_headline

__all__ = [
    "Closeness",
    "DecidedBy",
    "ExplainedParse",
    "Headline",
    "ParseList",
    "arrow_headline",
    "cell_headline",
    "constituent_headline",
    "decision_headline",
    "decisions_headline",
    "edge_headline",
    "feature_headline",
    "features_headline",
    "gap_headline",
    "item_headline",
    "least_sure",
    "one_what_if_headline",
    "pair_headline",
    "parse_headline",
    "punctuation_headline",
    "restored_headline",
    "second_model_headline",
    "tag_headline",
    "unary_headline",
    "what_if_headline",
    "word_headline",
]
