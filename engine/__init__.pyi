"""The public names of the engine, each named once, with the room that it comes from.

Type checkers and editors read this file; at run time ``engine/__init__.py`` reads it, too, and imports a name when it
is first asked for.
"""

from engine.chart.parse import Parse as Parse
from engine.chart.parser import Parser as Parser
from engine.chart.search import Control as Control
from engine.cluster.dask_cluster import Cluster as Cluster
from engine.common.errors import Cancelled as Cancelled
from engine.common.errors import ChartTooLarge as ChartTooLarge
from engine.common.errors import ConstraintError as ConstraintError
from engine.common.errors import EngineError as EngineError
from engine.common.errors import ModelError as ModelError
from engine.common.errors import SentenceError as SentenceError
from engine.common.errors import TreeError as TreeError
from engine.export.parse_json import json_object as json_object
from engine.model.model import Model as Model
from engine.model.model import load as load
from engine.settings import FurtherBackoff as FurtherBackoff
from engine.settings import Settings as Settings
from engine.structure.tagged_sentence import TaggedSentence as TaggedSentence
from engine.study.evaluation import evaluate as evaluate
from engine.tagger.tagger import TagDistribution as TagDistribution
from engine.training.train import train as train
from engine.trees.nltk import from_nltk as from_nltk
from engine.trees.nltk import to_nltk as to_nltk
from engine.trees.reading import read_tree as read_tree
from engine.trees.tree import Tree as Tree
