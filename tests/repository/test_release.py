"""Licences of a plain installation, and the pages of the documentation site."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from email.message import Message
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import pytest
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

import licences
import site_pages
import tetragraph
from contract_api import reachable

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "docs" / "notebooks"


def test_a_plain_installation_has_no_gpl_and_no_unknown_licence() -> None:
    stated = {name: licences.licence_of(one.metadata) for name, one in licences.runtime_packages().items()}
    assert {"neo4j", "numpy", "pydantic-core"} <= stated.keys()
    assert {name: licence for name, licence in stated.items() if licences.is_refused(licence)} == {}


@pytest.mark.parametrize(
    ("licence", "refused"),
    [
        ("GPL-3.0-only", True),
        ("GNU Affero General Public License v3", True),
        ("", True),
        ("MIT OR GPL-2.0-only", False),
        ("GNU Lesser General Public License v3 (LGPLv3)", False),
        ("BSD-3-Clause", False),
    ],
)
def test_gpl_and_unknown_licences_are_refused(licence: str, refused: bool) -> None:
    assert licences.is_refused(licence) is refused


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ([("License-Expression", "MIT"), ("License", "text")], "MIT"),
        ([("Classifier", "License :: OSI Approved :: BSD License"), ("License", "x")], "BSD License"),
        ([("License", "Apache 2.0\nlong text")], "Apache 2.0"),
        ([], ""),
    ],
)
def test_a_licence_is_read_from_the_field_that_states_it_best(fields: list[tuple[str, str]], licence: str) -> None:
    about = Message()
    for name, value in fields:
        about[name] = value
    assert licences.licence_of(cast("Any", about)) == licence


@pytest.mark.parametrize(
    ("link", "on_site"),
    [
        ("[a](../CONTRIBUTING.md#tests)", "[a](contributing.md#tests)"),
        ("[a](../app/tetragraph/)", "a"),
        ("![a](images/gain-graph.png)", "![a](images/gain-graph.png)"),
        ("[`a[b]`](cli.md#x)", "[`a[b]`](cli.md#x)"),
        ("```\n[a](../app/)\n```", "```\n[a](../app/)\n```"),
    ],
)
def test_links_that_leave_the_pages_lead_to_pages_of_the_site_or_become_text(link: str, on_site: str) -> None:
    assert site_pages.rewrite(link) == on_site


def test_the_reference_has_every_public_name_with_a_docstring() -> None:
    page = site_pages.reference()
    for name in tetragraph.__all__:
        value = getattr(tetragraph, name)
        if not name.startswith("_"):
            assert f"::: tetragraph.{name}\n" in page
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
    sources = sorted((ROOT / "adapters" / "tetragraph_adapters").glob("*.py"))
    with_class = [one.stem for one in sources if "\nclass TetragraphRetriever" in one.read_text(encoding="utf-8")]
    assert list(site_pages.ADAPTERS) == with_class
    assert [name for name in with_class if f"::: tetragraph_adapters.{name}.TetragraphRetriever\n" not in page] == []


def test_each_public_member_of_what_a_public_name_gives_is_documented() -> None:
    undocumented = [
        f"{one.__name__}.{name}"
        for one in reachable(tetragraph.__all__)
        for base in one.__mro__
        if base.__module__.startswith("tetragraph.")  # pydantic adds members of its own
        for name, value in vars(base).items()
        if not name.startswith("_") and isinstance(value, FunctionType | property | classmethod | staticmethod)
        if not inspect.getdoc(getattr(one, name))
    ]
    assert undocumented == []


def test_a_notebook_is_a_page_with_links_to_other_pages_and_is_in_the_navigation() -> None:
    first = site_pages.notebook_page(NOTEBOOKS / "first_steps.ipynb")
    assert first.startswith("# First steps\n")
    assert "[Download the notebook](first_steps.ipynb)" in first
    assert "(five_graphs.md)" in first
    assert "```python\nevidence" not in first
    assert "evidence = corpus.search(QUESTION, k=4)" in first
    assert "[How it works](../gain-graph.md)" in site_pages.notebook_page(NOTEBOOKS / "five_graphs.ipynb")
    assert site_pages.rewrite("[a](notebooks/agent.ipynb)") == "[a](notebooks/agent.md)"
    shown = re.findall(r"- notebooks/(\w+)\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    listed = re.findall(r"\(notebooks/(\w+)\.ipynb\)", (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(listed) == sorted(file.stem for file in NOTEBOOKS.glob("*.ipynb"))


def test_versions_stand_beside_one_another_and_the_root_leads_to_the_newest(tmp_path: Path) -> None:
    for version in ("0.9.0", "0.10.0"):
        config = MkDocsConfig()
        config.site_dir = str(tmp_path / version)
        (tmp_path / version).mkdir()
        (tmp_path / version / "index.html").write_text("page", encoding="utf-8")
        site_pages.on_post_build(config)
    listed = json.loads((tmp_path / "versions.json").read_text(encoding="utf-8"))
    assert [one["version"] for one in listed] == ["0.10.0", "0.9.0"]
    assert "url=0.10.0/index.html" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_each_version_of_the_site_is_written_to_a_folder_of_its_own() -> None:
    config = load_config(str(ROOT / "mkdocs.yml"))
    assert Path(site_pages.on_config(config).site_dir).parts[-2:] == ("site", tetragraph.__version__)
    assert config.extra["version"] == {"provider": "mike"}  # the list that the theme reads: ../versions.json


@pytest.mark.parametrize(
    ("shell", "words"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --command")]
)
def test_completion_is_there_for_each_shell(shell: str, words: str) -> None:
    variables = {**os.environ, "_TETRAGRAPH_COMPLETE": f"source_{shell}"}
    command = [sys.executable, "-c", "from tetragraph.cli import app; app(prog_name='tetragraph')"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (words in done.stdout, "tetragraph" in done.stdout) == (True, True)
