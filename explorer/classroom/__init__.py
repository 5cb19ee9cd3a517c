"""The classroom: lessons, the presenter, questions, exercises, training before everyone's eyes, and handouts."""
