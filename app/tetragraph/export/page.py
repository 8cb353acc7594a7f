"""Templates of HTML pages: every text is escaped, and the drawing script is part of the page."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

from tetragraph.errors import MissingDependency
from tetragraph.host.optional_imports import install_command

if TYPE_CHECKING:
    from jinja2 import Template

Tree = dict[str, Any]
CLEAR = "rgba(0,0,0,0)"
"""Background of a figure, so that the page's own shows, light or dark."""
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
        raise MissingDependency(f"{of} needs plotly and jinja2: {install_command('eval')} ({error})") from error

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
        raise MissingDependency(f"{of} needs jinja2: {install_command('eval')} ({error})") from error

    templates = Environment(loader=PackageLoader(package, "."), autoescape=True, undefined=StrictUndefined)
    return templates.get_template(name)


def escape(text: str) -> str:
    """A text for a label of plotly, which reads tags; it knows no entities of quotation marks, so these stay."""
    return html.escape(text, quote=False)


def figure_to_json(figure: Any) -> Tree:
    """Convert a figure of plotly to the tree of values that its script draws."""
    tree: Tree = json.loads(figure.to_json())
    return tree
