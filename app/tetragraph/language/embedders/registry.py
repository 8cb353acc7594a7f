"""Embedders by their names in the settings."""

from __future__ import annotations

from tetragraph.errors import InvalidInput
from tetragraph.language.embedders.base import Embedder
from tetragraph.language.embedders.bge_small import bge_small
from tetragraph.language.embedders.fastembed_model import FastembedModel
from tetragraph.language.embedders.minilm import minilm
from tetragraph.language.embedders.multilingual_e5 import multilingual_e5
from tetragraph.language.embedders.openai_api import OpenAIModel
from tetragraph.language.embedders.sentence_transformers_model import SentenceTransformersModel
from tetragraph.settings import Settings

PACKAGED = ("bge-small", "minilm")
"""Models of the extra ``local``, which need no file and no address."""
ENGLISH = frozenset(PACKAGED)
"""Models that were trained on English alone."""
NAMES = ("bge-small", "minilm", "multilingual", "openai:<model>", "fastembed:<model>", "sentence-transformers:<model>")


def needs_key(name: str) -> bool:
    """Whether the embedder of a name runs at an endpoint, whose address and key are in the settings."""
    return name.partition(":")[0] == "openai"


def load_embedder(name: str, settings: Settings) -> Embedder:
    """Return the embedder with a name; large packages and model files are loaded on its first use.

    Raises:
        InvalidInput: no embedder has that name; the message lists the available ones.
        MissingDependency: the model is not installed; the message has the command that installs it.
    """
    family, _, model = name.partition(":")
    match family, bool(model):
        case "minilm", False:
            return minilm()
        case "bge-small", False:
            return bge_small()
        case "multilingual", False:
            return multilingual_e5()
        case "openai", True:
            return OpenAIModel(model, settings)
        case "fastembed", True:
            return FastembedModel(model)
        case "sentence-transformers", True:
            return SentenceTransformersModel(model)
    raise InvalidInput(f"the embedder must be one of {', '.join(NAMES)}, got {name!r}")
