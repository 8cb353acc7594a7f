"""Licences of a plain installation, and the pages of the documentation site."""

from __future__ import annotations

import inspect
from email.message import Message
from pathlib import Path
from typing import Any, cast

import pytest

import licences
import site_pages
import tetragraph

ROOT = Path(__file__).parents[2]


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
