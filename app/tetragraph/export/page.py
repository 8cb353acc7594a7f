"""Templates of HTML pages: every text is escaped, and the drawing script is part of the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tetragraph.errors import MissingDependency

if TYPE_CHECKING:
    from jinja2 import Template

Tree = dict[str, Any]
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31", "#7B4173")
"""Okabe and Ito's palette, distinguishable by colour-blind readers, without its yellow, and two more."""
FONT = {"family": "system-ui, sans-serif", "size": 13}


def open_template(package: str, name: str, *, of: str) -> Template:
    """Load a template that escapes every text and has the script as ``plotly``.

    Args:
        package: Package that contains the file.
        name: Name of the file.
        of: Description of the page in the error message.

    Raises:
        MissingDependency: plotly or jinja2 is not installed.
    """
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise MissingDependency(f"{of} needs plotly and jinja2: pip install 'tetragraph[eval]' ({error})") from error

    template = open_bare_template(package, name, of=of)
    template.globals["plotly"] = get_plotlyjs()
    return template


def open_bare_template(package: str, name: str, *, of: str) -> Template:
    """Load a template that escapes every text and has no script; arguments as for :func:`open_template`.

    Raises:
        MissingDependency: jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise MissingDependency(f"{of} needs jinja2: pip install 'tetragraph[eval]' ({error})") from error

    templates = Environment(loader=PackageLoader(package, "."), autoescape=True, undefined=StrictUndefined)
    return templates.get_template(name)


def figure_to_json(figure: Any) -> Tree:
    """Convert a figure of plotly to the tree of values that its script draws."""
    tree: Tree = json.loads(figure.to_json())
    return tree
