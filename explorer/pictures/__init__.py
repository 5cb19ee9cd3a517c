"""Pictures of a sentence as display lists: layouts, the pictures of all stages, themes; no Qt.

A picture is a function of a parse, of the metrics of the type that will be used, of options of its own where it has
some, of the sentence's ruler (:func:`explorer.pictures.ruler.columns_of`: made once, given to all pictures) and
of the room that there is.  It returns a :class:`explorer.pictures.drawing.Drawing`.  Metrics say how wide text is;
:class:`explorer.kit.fonts.QtMetrics` measures it as the screen shows it.  Numbers come from the parse, its explainer
and its chart; nothing is scored here.
"""
