"""Output of notebooks, and pictures that they contain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tetragraph.model import Document
from tetragraph_loaders import notebook
from tetragraph_loaders.embedded_data import LEFT_OUT


def read(folder: Path, cell: dict[str, object]) -> Document:
    (folder / "a.ipynb").write_text(json.dumps({"cells": [cell], "nbformat": 4}), encoding="utf-8")
    (document,) = notebook.load(folder / "a.ipynb", id_prefix="a.ipynb")
    assert isinstance(document, Document), document
    return document


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (
            {"output_type": "stream", "text": ["\x1b[1;31mlow\x1b[0m ", "\x1b]8;;http://x\x07tide\x1b]8;;\x07"]},
            "low tide",
        ),
        ({"data": {"text/plain": "<Figure size 640x480 with 1 Axes>"}}, ""),
        ({"data": {"text/plain": ["[<matplotlib.lines.Line2D at 0x7f3c>]"]}}, ""),
        ({"data": {"text/plain": "<IPython.core.display.HTML object>"}}, ""),
        ({"data": {"text/plain": "<b>"}}, "<b>"),
        ({"data": {"text/plain": "<IPython.core.display.Markdown object>", "text/markdown": ["*low*"]}}, "*low*"),
        (
            {"output_type": "error", "ename": "KeyError", "evalue": "\x1b[31m'tide'\x1b[0m", "traceback": ["File"]},
            "KeyError: 'tide'",
        ),
        ({"output_type": "error", "ename": "KeyError"}, "KeyError"),
    ],
)
def test_of_the_output_of_a_notebook_the_words_are_kept(tmp_path: Path, output: dict[str, object], words: str) -> None:
    document = read(tmp_path, {"cell_type": "code", "source": "x", "outputs": [output]})
    assert document.text.partition("\n\n")[2] == words
    assert document.notes == ()


def test_pictures_in_base64_are_left_out_of_a_notebook_with_a_note(tmp_path: Path) -> None:
    data = f"data:image/png;base64,{'iVBOR/+=' * 30}"
    document = read(tmp_path, {"cell_type": "markdown", "source": f"<img src='{data}'>\n\n# Tides"})
    assert document.text == "<img src='data:…'>\n\n# Tides"
    assert [document.text[one.start :] for one in document.headings] == ["# Tides"]
    assert document.notes == (LEFT_OUT,)
    document = read(tmp_path, {"cell_type": "code", "source": "x", "outputs": [{"text": data}]})
    assert (document.text, document.notes) == ("x\n\ndata:…", (LEFT_OUT,))
