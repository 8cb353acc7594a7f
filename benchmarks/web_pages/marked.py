"""Pages of WildGraphBench on which the furniture is marked by hand.

``marks.json`` has, for 100 pages of each topic with at most 40,000 characters, the offsets of the lines that are no
part of what the page is about: menus, teasers and lists of other pages, notices, buttons, advertisements, footers,
empty pictures. Titles, bylines, dates, captions, references, comments of readers, and the lists that an index page is
about are content. The pages themselves are in the data folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import data
from tetragraph.arrays import Flags, Floats
from tetragraph.indexing.furniture import WINDOW_CHARACTERS, count_documents
from tetragraph.language.page_lines.features import describe
from tetragraph.language.page_lines.lines import PageLine, read_lines

MARKS = Path(__file__).with_name("marks.json")
TOPICS = ("culture", "health", "human_activities", "philosophy")
PARTS = 4
"""One page in this number is held out: the trees of the package were not fitted on it."""


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page with its marks.

    Attributes:
        id: Id of the page, which begins with its topic.
        lines: Lines that are not blank.
        documents: For each line the number of pages with it, of those that are read together.
        is_furniture: ``(lines,)`` whether a line is marked.
    """

    id: str
    lines: Sequence[PageLine]
    documents: Sequence[int]
    is_furniture: Flags

    @property
    def topic(self) -> str:
        """Topic of the page."""
        return self.id.split("/")[0]

    @property
    def part(self) -> int:
        """Part of the pages that this one belongs to; those of part 0 are held out."""
        return int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % PARTS

    @property
    def sizes(self) -> Floats:
        """``(lines,)`` letters and digits of each line, without targets of links."""
        return np.array([sum(map(str.isalnum, line.text)) for line in self.lines], dtype=np.float64)

    def describe(self, *, alone: bool = False) -> Floats:
        """``(lines, features)`` description of the lines, with or without the other pages that have them."""
        return describe(self.lines, [1] * len(self.lines) if alone else self.documents)


def are_within(lines: Sequence[PageLine], spans: Sequence[tuple[int, int]]) -> Flags:
    """``(lines,)`` whether a line is in one of some spans."""
    return np.array([any(start <= line.start and line.end <= end for start, end in spans) for line in lines])


def shares(pages: Sequence[MarkedPage], is_kept: Flags) -> tuple[float, float]:
    """Per cent of what is kept that is furniture, and of the content that is kept, in letters and digits.

    Args:
        pages: Marked pages.
        is_kept: Whether each line of all pages is kept.
    """
    sizes = np.concatenate([page.sizes for page in pages])
    is_content = ~np.concatenate([page.is_furniture for page in pages])
    kept = float(sizes[is_kept & is_content].sum())
    return 100 - 100 * kept / float(sizes[is_kept].sum()), 100 * kept / float(sizes[is_content].sum())


def read_texts(topic: str) -> dict[str, str]:
    """The pages of a topic by id, in their order."""
    return {row["id"]: row["text"] for row in data.rows(data.corpus(f"wild/{topic}"))}


def read_marked() -> Iterator[MarkedPage]:
    """The marked pages, in order of topic and id.

    Raises:
        ValueError: a page is not the one that was marked.
    """
    marks = json.loads(MARKS.read_text(encoding="utf-8"))
    for topic in TOPICS:
        texts = read_texts(topic)
        for window in _windows(texts):
            counts = dict(zip(window, count_documents([texts[one] for one in window]), strict=True))
            for page in (one for one in window if one in marks):
                yield _read(page, texts[page], counts[page], marks[page])


def _read(page: str, text: str, documents: Sequence[int], mark: dict[str, object]) -> MarkedPage:
    if hashlib.sha256(text.encode()).hexdigest()[:16] != mark["sha256"]:
        raise ValueError(f"{page} must be the page that was marked, its text is another: get the data again")
    lines = read_lines(text)
    spans = mark["furniture"]
    assert isinstance(spans, list)
    return MarkedPage(page, lines, documents, are_within(lines, spans))


def _windows(texts: dict[str, str]) -> Iterator[list[str]]:
    """Ids of the pages that an ingest reads together."""
    window: list[str] = []
    size = 0
    for page, text in texts.items():
        window.append(page)
        size += len(text)
        if size >= WINDOW_CHARACTERS:
            yield window
            window, size = [], 0
    yield window
