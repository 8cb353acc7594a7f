"""Scripts, styles and templates: pinned, complete, and without anything that the content security policy refuses."""

from __future__ import annotations

import hashlib
import re
from importlib import resources

import pytest

from tetragraph.service.page import assets, rendering
from tetragraph.systems.names import METHODS

PINNED = {
    "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
    "cytoscape.min.js": "081591ab735b2b6a3b31a3c60f8f3a3e2fee8c92939e0c7820ad1208571b6cd8",
}
"""SHA-256 of the files of others, as their authors published them: htmx.org 4.0.1 and cytoscape 3.34.4."""
FOLDER = resources.files("tetragraph.service.page").joinpath("templates")
TEMPLATES = sorted(file.name for file in FOLDER.iterdir())


@pytest.mark.parametrize("name", PINNED)
def test_files_of_others_are_unchanged(name: str) -> None:
    assert hashlib.sha256(assets.load(name).content).hexdigest() == PINNED[name]


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_compile_and_contain_no_code_and_no_style(name: str) -> None:
    rendering.environment().get_template(name)
    text = FOLDER.joinpath(name).read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|<style|\son\w+=|javascript:|hx-on|\|safe", text)
    for script in re.findall(r"<script[^>]*>", text):
        assert 'src="{{ asset(' in script or 'type="application/json"' in script
    for asset in re.findall(r'asset\("([^"]+)"\)', text):
        assert asset in assets.FILES


def test_every_search_method_has_a_name_for_people() -> None:
    assert list(rendering.METHOD_NAMES) == METHODS


def test_an_address_changes_with_the_content() -> None:
    assert assets.address_of("page.css") == f"/assets/page.css?v={assets.load('page.css').version}"
