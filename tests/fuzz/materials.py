"""Good inputs and good models, from which hostile ones are made; all of the project's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from engine.model.model import Model

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "resources" / "examples"
LESSONS = ROOT / "resources" / "lessons"
MODELS = ROOT / "resources" / "models"

TREES = (
    "(S (NP (NNP John)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN dog))))) (. .))",
    "( (S (NP-SBJ-1 (NP (NNP Mary)) (, ,) (NP (DT the) (NN head)) (, ,)) (VP (VBD left) (NP (-NONE- *T*-1)))) )",
    "(TOP (S\n  (NP (QP (RB about) (CD two)) (NNS men))\n  (CC and)\n  (VP (VBD ran) (ADVP (RB off)))))\n(X (UH oh))",
)
TAGGED = (
    "John/NNP saw/VBD the/DT man/NN with/IN a/DT dog/NN ./.",
    "``/`` 1\\/2/CD of/IN it/PRP ,/, ''/'' she/PRP said/VBD -LRB-/-LRB- twice/RB -RRB-/-RRB-",
    "Mary saw the man/NN with the telescope .",
)
PROSE = (
    "Mr. Smith didn't see \"the U.S. team\" at 4:30 p.m. on Jan. 3, 1996; he'd left... Why? (See www.acl.org.)",
    "Rockwell said the agreement calls for it to supply 200 additional so-called shipsets for the planes.\n\nIt ended.",
    "An e-mail to a.b@c.org -- cost: $1,000.50 (50%) – was “sent”.\r\nThe co-ordinates: 3/4, and/or AT&T's 1980's.",
)
CONLLU = (
    "# text = John saw dogs.\n1\tJohn\tJohn\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_\n"
    "3\tdogs\tdog\tNOUN\tNNS\t_\t2\tobj\t_\tSpaceAfter=No\n4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n",
    "# tree = (S (NP (NN a)) (VP (VB b)))\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\tX\tNN\t_\t2\tdep\t_\t_\n"
    "2\tb\t_\tX\tVB\t_\t0\troot\t_\t_\n2.1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n",
)
PATTERNS = (
    "PP > VP",
    "NP=a < (DT $. /^NN/) !<< PRP >> S",
    "S <1 NP [<- VP | <2 (VP <# VBD)] & <<, __ ?< CC",
    "/^(NP|PP)$/ <: (NN < dog) .. VP=b",
)


@cache
def prepared_model() -> Model:
    """The bundled small model, with all kernels compiled."""
    from engine.warm_up import compile_now

    compile_now()
    return Model.load(MODELS / "classroom.model")
