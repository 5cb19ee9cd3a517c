"""The panels around the picture: what is selected, the sentences, the alternatives, the what-ifs, the model."""
