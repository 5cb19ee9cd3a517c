"""What the model knows and from where: the model browser and the evidence of counts."""
