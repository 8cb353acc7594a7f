"""Subtitles: what is spoken, without numbers, times and tags."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tetragraph.model import Document, Page
from tetragraph_loaders import subtitles

SRT = """1
00:00:01,000 --> 00:00:03,500
<i>The ferry leaves
at nine.</i>

2
00:00:04,000 --> 00:00:05,000 X1:40 X2:600
{\\an8}It is back at 12.

3
01:02:03,000 --> 01:02:04,000
- Who steers it?
- <font color="#fff">Ida.</font>
"""
VTT = """WEBVTT - Ferries
Kind: captions

NOTE not spoken
at all

STYLE
::cue { color: red }

intro
00:01.000 --> 00:03.000 align:start
<v Ida Holt>Tides &amp; ferries

00:03.000 --> 00:05.000
<v Ida Holt>are late

00:05.000 --> 00:06.000
<v.loud Bo>at<00:05.500><c.red> noon</c>
"""


def read(folder: Path, text: str, name: str = "my_film.srt") -> Document:
    (folder / name).write_text(text, encoding="utf-8")
    (document,) = subtitles.load(folder / name, id_prefix=name)
    assert isinstance(document, Document)
    return document


def test_words_are_joined_to_paragraphs_that_know_their_times(tmp_path: Path) -> None:
    document = read(tmp_path, SRT)
    assert document.text == "The ferry leaves at nine. It is back at 12.\n\n- Who steers it? - Ida."
    assert document.pages == (Page(0, 1, "0:00:01"), Page(45, 2, "1:02:03"))
    assert (document.title, document.named_by_file) == ("my film", True)


def test_comments_styles_and_names_of_webvtt_are_left_out_and_speakers_stay(tmp_path: Path) -> None:
    assert read(tmp_path, VTT, "a.vtt").text == "Ida Holt: Tides & ferries are late Bo: at noon"


def test_a_line_that_scrolls_is_read_once(tmp_path: Path) -> None:
    shown = [["one", "two"], ["two"], [" ", "two", "three"], ["one"]]
    cues = [f"00:0{n}.000 --> 00:0{n + 1}.000\n" + "\n".join(lines) for n, lines in enumerate(shown)]
    assert read(tmp_path, "WEBVTT\n\n" + "\n\n".join(cues), "a.vtt").text == "one two three one"


def test_cues_without_blank_lines_between_and_with_some_inside_lose_nothing(tmp_path: Path) -> None:
    times = "00:00:0{0},0 --> 00:00:0{0},9".format
    text = f"By Ida\n\n1\n{times(1)}\none\n\ntwo\n2\n{times(2)}\nNOTE three\n\n3\n{times(3)}"
    assert read(tmp_path, text.replace("\n", "\r")).text == "By Ida one two NOTE three"


def test_a_long_paragraph_ends_with_a_sentence(tmp_path: Path) -> None:
    words = ["word " * 90 + "and", "so on.", "Then more."]
    cues = [f"{n}\n00:00:0{n},000 --> 00:00:0{n + 1},000\n{line}" for n, line in enumerate(words)]
    document = read(tmp_path, "\n\n".join(cues))
    assert [one.split()[-1] for one in document.text.split("\n\n")] == ["on.", "more."]
    assert [page.label for page in document.pages] == ["0:00:00", "0:00:02"]


def test_a_file_without_times_is_text(tmp_path: Path) -> None:
    assert read(tmp_path, "1\nNo times\n").text == "1\nNo times\n"


@pytest.mark.parametrize("suffix", [".srt", ".vtt"])
def test_subtitles_are_read_by_their_suffix(suffix: str) -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["tetragraph.loaders"][suffix] == "tetragraph_loaders.subtitles:load"
