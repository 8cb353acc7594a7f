"""Output in encodings that lack characters of it, and standard streams that the caller closed."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tetragraph import cli
from tetragraph.cli.output import out, print_json, print_json_text

TOLD = "grüße → 😀"


def _printed(monkeypatch: pytest.MonkeyPatch, text: str, encoding: str, errors: str = "strict") -> bytes:
    """What a command that prints a text as line and as JSON writes to a stream."""

    def command(**_: object) -> None:
        out.print(text, markup=False)
        print_json([text])

    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=errors, newline="\n", write_through=True)
    monkeypatch.setattr(cli, "app", command)
    monkeypatch.setattr(sys, "stdout", stream)
    with pytest.raises(SystemExit, match="0"):
        cli.main()
    stream.seek(0)
    return stream.buffer.read()


@pytest.mark.parametrize(
    ("encoding", "errors", "line"),
    [
        ("utf-8", "strict", TOLD.encode()),
        ("ascii", "strict", rb"gr\xfc\xdfe \u2192 \U0001f600"),
        ("latin-1", "strict", b"gr\xfc\xdfe " + rb"\u2192 \U0001f600"),
        ("ascii", "surrogateescape", rb"gr\xfc\xdfe \u2192 \U0001f600"),
        ("ascii", "replace", b"gr??e ? ?"),
    ],
)
def test_a_character_that_the_encoding_lacks_is_escaped(
    monkeypatch: pytest.MonkeyPatch, encoding: str, errors: str, line: bytes
) -> None:
    printed, _, document = _printed(monkeypatch, TOLD, encoding, errors).partition(b"\n")
    assert printed == line
    assert json.loads(document.decode(encoding)) == [TOLD]


def test_bytes_of_a_path_that_are_no_text_are_printed_as_they_are_in_the_locale_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = os.fsdecode(b"x-\xff")
    assert _printed(monkeypatch, path, "ascii", "surrogateescape").startswith(b"x-\xff\n")
    assert _printed(monkeypatch, path, "utf-8").startswith(rb"x-\udcff" + b"\n")


def test_json_in_utf_8_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    print_json_text(json.dumps({"a": TOLD}, ensure_ascii=False))
    assert capsys.readouterr().out == f'{{"a": "{TOLD}"}}'


def test_a_question_that_nobody_can_answer_does_nothing(tmp_path: Path) -> None:
    ended = subprocess.run(
        ["/bin/bash", "-c", '"$@" <&-', "bash", sys.executable, "-m", "tetragraph", "delete", "base"],
        env={**os.environ, "TETRAGRAPH_HOME": str(tmp_path), "NEO4J_URI": "bolt://127.0.0.1:9"},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    assert ended.stderr.endswith("error: nothing was done\n")
