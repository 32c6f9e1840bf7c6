"""Hypothesis runs without a deadline: a loaded machine must not fail a test."""

from hypothesis import settings

settings.register_profile("sizeup", deadline=None)
settings.load_profile("sizeup")
