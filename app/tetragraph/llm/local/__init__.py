"""A language model on this machine: fetched once, served on the loopback address until it is stopped."""

from tetragraph.llm.local.fetching import fetch
from tetragraph.llm.local.models import DEFAULT, MODELS, Model, find_model
from tetragraph.llm.local.serve import CONTEXT, THREADS, LocalModel, running, settings_for, start, stop

__all__ = [
    "CONTEXT",
    "DEFAULT",
    "MODELS",
    "THREADS",
    "LocalModel",
    "Model",
    "fetch",
    "find_model",
    "running",
    "settings_for",
    "start",
    "stop",
]
