"""Packages of the ``local`` extra, imported when they are needed, so that the light client runs without them."""

from __future__ import annotations

import importlib
from types import ModuleType

from tetragraph.errors import MissingDependency


def load(module: str) -> ModuleType:
    """Import a package of the extra.

    Raises:
        MissingDependency: it is not installed; the message is the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingDependency(
            f"the local Neo4j needs the package {module.split('.', 1)[0]}: pip install 'tetragraph[local]', "
            "or set NEO4J_URI to use a server of your own"
        ) from error
