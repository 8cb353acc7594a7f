"""How much furniture is left in the indexed text of web pages, and how much of their content is kept."""

from __future__ import annotations

import numpy as np

from benchmarks.plan import Plan
from benchmarks.web_pages.marked import TOPICS, MarkedPage, are_within, read_marked, read_texts, shares
from tetragraph import Document
from tetragraph.arrays import Flags
from tetragraph.indexing.furniture import leave_out

Figures = dict[str, dict[str, float]]


def measure_web_pages(plan: Plan) -> Figures:  # noqa: ARG001  # of all parts
    """Leave out the furniture of all pages of each topic, and compare with the marks of the pages that are held out.

    Returns:
        Per cent of letters and digits, by topic and for all.
    """
    spans = {page: found for topic in TOPICS for page, found in _leave_out(topic).items()}
    pages = [page for page in read_marked() if not page.part]
    figures = {topic: _compare([page for page in pages if page.topic == topic], spans) for topic in TOPICS}
    return {**figures, "all": _compare(pages, spans)}


def _leave_out(topic: str) -> dict[str, tuple[tuple[int, int], ...]]:
    documents = [
        Document(page, "", text, source=f"{page}.md", origin=f"{page}.md") for page, text in read_texts(topic).items()
    ]
    return {one.id: one.left_out for one in leave_out(documents, set()) if isinstance(one, Document)}


def _compare(pages: list[MarkedPage], spans: dict[str, tuple[tuple[int, int], ...]]) -> dict[str, float]:
    is_kept: Flags = ~np.concatenate([are_within(page.lines, spans[page.id]) for page in pages])
    furniture, _ = shares(pages, np.ones_like(is_kept))
    left, content = shares(pages, is_kept)
    return {
        "pages": len(pages),
        "furniture, %": round(furniture, 1),
        "furniture of what is indexed, %": round(left, 1),
        "content kept, %": round(content, 1),
    }
