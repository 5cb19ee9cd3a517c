"""The panels around the picture: inspector, alternatives, what-ifs, sentence bar, settings, the model."""
