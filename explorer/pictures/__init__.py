"""The six pictures of a sentence, one for each stage.

Every function takes a :class:`engine.parse.Parse`, the metrics of the type that will be used, options of its own and the
sentence's ruler, and returns a :class:`explorer.drawing.Drawing`::

    columns_of(parse, metrics) -> WordColumns      the ruler: make it once for a sentence, give it to all pictures
    sentence_picture(parse, metrics, SentenceOptions(), columns=None)
    gaps_picture(parse, metrics, GapsOptions(), columns=None)
    reduced_picture(parse, metrics, ReducedOptions(), columns=None)
    matrix_picture(parse, metrics, MatrixOptions(), columns=None)
    triangle_picture(parse, metrics, TriangleOptions(until=...), columns=None)      parse.chart must be there
    tree_picture(parse, metrics, TreeOptions(), columns=None)
    arrows_picture(parse, metrics, ArrowsOptions(), columns=None)
    parse_picture(parse, metrics, ParseOptions(), columns=None)
    message_picture("No sentence", "Type one above.", metrics)                       empty, busy and failed states

``explorer.fonts.QtMetrics`` measures type as the screen shows it, ``explorer.layout.metrics.TableMetrics`` by a
fixed table, without Qt.  Numbers come from the parse, its explainer and its chart; nothing is scored here.
"""
