"""The package that runs models here."""

from __future__ import annotations

from types import ModuleType

from tetragraph.host.optional_imports import required


def load_engine() -> ModuleType:
    """llama.cpp's server as a module of Python.

    Raises:
        MissingDependency: it is not installed; the message is the command that installs it.
    """
    return required(
        "xllamacpp",
        "a local language model needs the package {package}: pip install 'tetragraph[local-llm]', "
        "or set TETRAGRAPH_LLM and OPENAI_BASE_URL to use an endpoint of your own",
    )
