"""``parse-engine parse``: sentences in, one line of trees out for each."""

from __future__ import annotations

import argparse
from functools import partial

from engine.chart.parser import MOST_PARSES
from engine.cli.options import (
    Commands,
    add_jobs,
    add_model,
    add_settings,
    add_tags,
    command,
    model_path,
    need_tagger,
    note_counts,
    open_model,
    settings_of,
    tags_of,
    whole,
    workers_of,
)
from engine.cli.sentences import PTB_FORM, ParseProcessor, Source, add_file, print_outputs
from engine.common.errors import EngineError
from engine.common.terminal import Console
from engine.export import FORMATS
from engine.model.model import WorkerFactory
from engine.study.provenance import GOLD
from engine.text.input import CONLLU, TAGGED, TEXT, TREES

_DETAILS = """\
What is read (--input):

  tagged  one sentence per line, as word/TAG word/TAG ...; tags may be left out, of some words or of all, and the
          tagger then fills them in.  The last slash separates word and tag (1/2/CD is a number), \\/ is a slash
          in a word; and/or, km/h and the like are words.  Words without a tag are tokenised (don't: do n't)
  text    any plain text: it is split into sentences and tokens, and tagged
  trees   the words and tags of bracketed trees
  conllu  the words of CoNLL-U, and of the column XPOS the tags that are there

Tags that a tagged line or a CoNLL-U row has are always kept; --tags says where missing ones come from, or, with
`gold`, that none may be missing.  With --input trees, `best` and `distribution` drop the trees' own tags.

Every sentence gives exactly one line of output, in order, with all its tokens:

  ptb   the bracketed tree; with --n-best K up to K trees, best first, separated by tabs
  json  an object with the tree, its log probability, baseNPs, dependencies and more, for plain text also the
        sentence's place and its tokens' in characters; with --n-best K also the list of alternatives
        (engine/export/parse.schema.json describes every key)

An empty line gives an empty line (json: an object whose tree is null).  A malformed line gives an empty line
(json: an object with the key error), a message with file and line, and exit status 1 at the end.  So does a sentence
of more than 400 words; in plain text one of more than 200 tokens is cut.  A tag that the model does not know is a
warning.  Where no tree is found, the sentence is parsed again with further back-off; where none spans it even so,
fragments that cover it stand under TOP.  If the tagger leaves more than 150 tags open in a long sentence, as it does
where the text is not English, the parser chooses among the likeliest 150.
With one job a line is answered before the next is read; with several they are read in batches."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = command(commands, "parse", run, "Parse sentences, one line of output each", _DETAILS)
    add_file(
        parser,
        (TAGGED, TEXT, TREES, CONLLU),
        TAGGED,
        "lines of words with or without tags (default), plain text, or trees or CoNLL-U whose words and tags to parse",
    )
    add_model(parser)
    add_tags(parser, "gold for trees; else distribution with presets 4 and 5, best with the others")
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default=PTB_FORM,
        metavar="NAME",
        help="what to print: " + ", ".join(FORMATS),
    )
    parser.add_argument(
        "--n-best", type=whole(1, MOST_PARSES), default=1, metavar="K", help=f"how many parses, up to {MOST_PARSES}"
    )
    add_jobs(parser, "parse")
    add_settings(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Parse everything."""
    path = model_path(arguments)
    tags, settings = tags_of(arguments, settings_of(arguments), gold=arguments.input == TREES)
    if arguments.input == TEXT and tags == GOLD:
        raise EngineError("plain text has no tags; use --tags best or --tags distribution")
    # Opened here even if workers do the parsing: a bad model or a missing file is found at once.
    model = open_model(path)
    note_counts(console, model, settings)
    if arguments.input == TEXT or (arguments.input == TREES and tags != GOLD):
        need_tagger(model, f"--input {arguments.input} --tags {tags}")
    source = Source(arguments, model)
    make = partial(ParseProcessor, settings=settings, n_best=arguments.n_best, form=arguments.format, gold=tags == GOLD)
    form = FORMATS[arguments.format]
    factory, here = WorkerFactory(path.resolve(), make, model.digest), make(model)
    with workers_of(arguments, console) as workers:
        return print_outputs(console, "parsing", source, factory, here, workers, None if form.streams else form.frame)
