"""Pages of the documentation site that are not in docs/, and the list of its versions: a hook of MkDocs.

README, CONTRIBUTING, CHANGELOG and the notebooks become pages, and a page shows the docstrings of the public names.
Links between pages are those of the repository, so that they work there, too: here they are pointed at the pages of the
site, and links to other files are shown as text.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import tetragraph

ROOT = Path(__file__).parents[1]
OUTSIDE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages of the repository outside of docs/, and their names on the site."""
ADAPTERS = ("haystack", "langchain", "llama_index", "neo4j_graphrag")
"""Modules of ``tetragraph_adapters`` with a public class; their frameworks need not be installed."""
FULL_NAME = "    options:\n      show_root_full_path: true\n"
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|#|mailto:)([^)\s#]*)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Write each version to a folder of its own, and list pages that the navigation lacks among the how-to's."""
    config.site_dir = str(Path(config.site_dir) / tetragraph.__version__)
    listed = json.dumps(config.nav)
    others = [page.name for page in sorted((ROOT / "docs").glob("*.md")) if f'"{page.name}"' not in listed]
    next(section["How-to"] for section in config.nav or () if "How-to" in section).extend(others)
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for source, target in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=_outside_links(text)))
    files.append(File.generated(config, "reference.md", content=reference()))
    for notebook in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=notebook_page(notebook)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Point links that leave docs/ at pages of the site."""
    is_made_here = page.file.src_uri in OUTSIDE.values() or page.file.src_uri.startswith("notebooks/")
    return markdown if is_made_here else rewrite(markdown)


def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    """List the versions beside this one, and lead the root of the site to the newest."""
    root = Path(config.site_dir).parent
    versions = sorted((folder.name for folder in root.iterdir() if (folder / "index.html").exists()), key=_order)
    listed = [{"version": name, "title": name, "aliases": []} for name in reversed(versions)]
    (root / "versions.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    page = (
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={versions[-1]}/index.html">\n'
    )
    (root / "index.html").write_text(page, encoding="utf-8")


def rewrite(markdown: str) -> str:
    """A page of docs/ with links that stay on the site.

    >>> rewrite("[rules](../CONTRIBUTING.md#tests), [code](../app/), [words](glossary.md)")
    '[rules](contributing.md#tests), code, [words](glossary.md)'
    """

    def point(found: re.Match[str]) -> str:
        is_image, text, path, heading = found.groups()
        if path.startswith("notebooks/"):
            return f"[{text}]({_page_of(path)})"
        if not path.startswith("../"):
            return found[0]
        target = OUTSIDE.get(path.removeprefix("../"))
        return f"{is_image}[{text}]({target}{heading or ''})" if target else text

    return _outside_code(markdown, point)


def reference() -> str:
    """A page with the docstrings of all public names, and of the adapters."""
    names = sorted(name for name in tetragraph.__all__ if not name.startswith("_"))
    blocks = [f"::: tetragraph.{name}\n" for name in names]
    lead = "All that `from tetragraph import …` offers, from its docstrings; a short list is [here](python.md).\n"
    adapters = [f"::: tetragraph_adapters.{name}.TetragraphRetriever\n{FULL_NAME}" for name in ADAPTERS]
    return "\n".join(["# Public names\n", lead, *blocks, *adapters])


def notebook_page(file: Path) -> str:
    """A notebook as a page: its text, and its cells as Python, without outputs."""
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    parts = ["".join(cell["source"]) for cell in cells]
    shown = [
        f"```python\n{part}\n```" if cell["cell_type"] == "code" else _LINK.sub(_between_notebooks, part)
        for cell, part in zip(cells, parts, strict=True)
    ]
    return "\n\n".join([shown[0], f"[Download the notebook]({file.name})", *shown[1:]]) + "\n"


def _outside_links(markdown: str) -> str:
    """A page of the root of the repository with links as a page of docs/ has them."""

    def point(found: re.Match[str]) -> str:
        is_image, text, path, heading = found.groups()
        if path in OUTSIDE:
            return f"{is_image}[{text}]({OUTSIDE[path]}{heading or ''})"
        if not path.startswith("docs/"):
            return found[0] if not path else text
        return f"{is_image}[{text}]({path.removeprefix('docs/')}{heading or ''})"

    return _outside_code(markdown, point)


def _outside_code(markdown: str, point: Any) -> str:
    parts = _FENCE.split(markdown)
    return "".join(part if place % 2 else _LINK.sub(point, part) for place, part in enumerate(parts))


def _between_notebooks(found: re.Match[str]) -> str:
    return found[0].replace(found[3], _page_of(found[3]))


def _page_of(path: str) -> str:
    """The page of the site that shows a notebook; another path as it is."""
    return f"{path.removesuffix('.ipynb')}.md" if path.endswith(".ipynb") else path


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"[0-9]+", version))
