"""Subtitles (SubRip and WebVTT): one document with what is spoken, in paragraphs without numbers, times and tags.

A paragraph ends at a pause, or with a sentence once it is long. Each begins a page that is named by its time, so that a
hit shows it. A line that repeats the one before, as automatic captions scroll, is read once. The speaker that WebVTT
names stands before the words. Comments and styles of WebVTT are left out. A file without times is plain text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.composing import Composer
from tetragraph_loaders.reading import load_one, title_from

PAUSE = 3.0
"""Least number of seconds without words that ends a paragraph."""
LONG = 400
"""Least number of characters of a paragraph that ends with a sentence."""
_TIME = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMES = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t].*)?")
_NUMBER = re.compile(r"\s*\d+\s*")
_NO_CUE = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)\b.*")
"""First line of a block of WebVTT that is not spoken."""
_SPEAKER = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^>]+)>")
_TAG = re.compile(r"</?(?:[a-z]+(?:[.\s][^<>]*)?|[\d:.]+)>|\{\\[^{}]*\}", re.IGNORECASE)
_ENDS = (".", "!", "?", "…", "。", "！", "？")


@dataclass(slots=True)
class _Cue:
    """Lines that are shown from one time to another, in seconds."""

    start: float = 0.0
    end: float = 0.0
    lines: list[str] = field(default_factory=list)


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read the file as one document, titled by the file name."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix), options)


def _parse(text: str, path: Path, source: str) -> Document:
    lines = text.replace("\r", "\n").split("\n")
    if not any(map(_TIMES.fullmatch, lines)):
        return Document(source, title_from(path), text, source=source, named_by_file=True)
    composer = Composer()
    words: list[str] = []
    end = 0.0
    for cue in _without_repeated(_read_cues(lines)):
        length = sum(map(len, words))
        if words and (cue.start - end >= PAUSE or (length >= LONG and words[-1].endswith(_ENDS))):
            composer.add(" ".join(words))
            words.clear()
        if not words:
            composer.begin_page(len(composer.pages) + 1, _clock(cue.start))
        words += cue.lines
        end = max(end, cue.end)
    composer.add(" ".join(words))
    return composer.document(source, "", title_from(path))


def _read_cues(lines: Sequence[str]) -> Iterator[_Cue]:
    """Yield the cues of a file in order, the first with what stands above all times.

    A number above times, and any line between a blank one and times, is the name of the cue.
    """
    cue, before, is_spoken = _Cue(), "", True
    is_web = lines[0].startswith("WEBVTT")
    for line, after in zip_longest(lines, lines[1:], fillvalue=""):
        if times := _TIMES.fullmatch(line):
            yield cue
            cue, is_spoken = _Cue(_seconds(*times.groups()[:4]), _seconds(*times.groups()[4:])), True
        elif not before.strip() and is_web and _NO_CUE.fullmatch(line):
            is_spoken = False
        elif not line.strip():
            is_spoken = True
        elif is_spoken and not (_TIMES.fullmatch(after) and (not before.strip() or _NUMBER.fullmatch(line))):
            cue.lines.append(line)
        before = line
    yield cue


def _without_repeated(cues: Iterable[_Cue]) -> Iterator[_Cue]:
    """Yield the cues with their words, without lines and speakers that repeat those before; none without words."""
    last = speaker = ""
    for cue in cues:
        kept = []
        for line in cue.lines:
            named = _SPEAKER.search(line)
            words = " ".join(html.unescape(_TAG.sub("", _SPEAKER.sub("", line))).split())
            if words and words != last:
                is_new = named is not None and named[1] != speaker
                kept.append(f"{named[1].strip()}: {words}" if named and is_new else words)
            speaker = named[1] if named else speaker
            last = words or last
        if kept:
            yield _Cue(cue.start, cue.end, kept)


def _seconds(hours: str | None, minutes: str, seconds: str, parts: str) -> float:
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + int(parts.ljust(3, "0")) / 1000


def _clock(seconds: float) -> str:
    """A time for display, such as ``0:12:31``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
