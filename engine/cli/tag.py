"""``parse-engine tag``: sentences in, sentences with part-of-speech tags out."""

from __future__ import annotations

import argparse
from functools import partial

from engine.cli.options import Commands, add_jobs, add_model, command, model_path, need_tagger, open_model, workers_of
from engine.cli.sentences import (
    FULL_TABLE_FORM,
    JSON_FORM,
    TABLE_FORM,
    WORDS_FORM,
    Source,
    TagProcessor,
    add_file,
    print_outputs,
)
from engine.common.errors import EngineError
from engine.common.terminal import Console
from engine.model.model import WorkerFactory
from engine.text.input import CONLLU, TAGGED, TEXT, TOKENS

_DETAILS = """\
What is read (--input):

  text    any plain text: it is split into sentences and tokens
  tokens  one sentence per line, its tokens separated by white space and taken as they stand
  tagged  one sentence per line, in which some words have tags already (saw/VBD the man); these are kept, and the
          others tokenised
  conllu  the words of CoNLL-U; a tag that stands in the column XPOS is kept

Every sentence gives a line word/TAG word/TAG ..., which `parse-engine parse` reads.  With --probabilities it gives a
line for every token, with the word, its tag and then its tags with P(t|S), the two words before it tagged as in
the best sequence (section 2.7 of the paper), separated by tabs, and an empty line at the end.  Tags under 0.01 are
summed up (+12 0.0031: twelve more tags); with --all they are listed too.  With --json it gives one object, for plain
text with the sentence's place and its tokens' in characters.  Tags of a probability under 0.00005 are never shown."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "tag", run, "Tag text with parts of speech", _DETAILS)
    add_file(
        parser,
        (TEXT, TOKENS, TAGGED, CONLLU),
        TEXT,
        "plain text (default), lines of tokens, lines of words with or without tags, or CoNLL-U",
    )
    add_model(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--probabilities",
        dest="form",
        action="store_const",
        const=TABLE_FORM,
        default=WORDS_FORM,
        help="print every token's tags with their probabilities",
    )
    shown.add_argument(
        "--json", dest="form", action="store_const", const=JSON_FORM, help="print one JSON object for each sentence"
    )
    parser.add_argument("--all", action="store_true", help="with --probabilities: list the improbable tags too")
    add_jobs(parser, "tag")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Tag everything."""
    if arguments.all and arguments.form != TABLE_FORM:
        raise EngineError("--all needs --probabilities; add it, or leave --all out")
    form = FULL_TABLE_FORM if arguments.all else arguments.form
    path = model_path(arguments)
    model = open_model(path)
    need_tagger(model, "tagging")
    source = Source(arguments, model)
    make = partial(TagProcessor, form=form)
    factory, here = WorkerFactory(path.resolve(), make, model.digest), make(model)
    with workers_of(arguments, console) as workers:
        return print_outputs(console, "tagging", source, factory, here, workers)
