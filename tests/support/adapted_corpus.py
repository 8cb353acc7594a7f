"""The corpus of the tests of adapters, and what every adapter is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import small_world
from tetragraph import Document
from tetragraph.model import Page

QUESTIONS = (
    "Who founded the school where Elva Kron studied?",
    "Who built the harbour of the town where Elva Kron was born?",
    "Where did the mayor who wrote Low Tide serve?",
    "Who set the poem Low Tide to music?",
    "Whose daughter became a surgeon?",
    "Which memoir did the surgeon of Old Port write?",
    "What is the seat of Sund County?",
    "Who was the second director of the Reyer Academy?",
    "In which county did Mina Holt die?",
    "Who was married to the engineer who built harbours?",
    "When was The Grey Harbour published?",
    "What is the largest town of Sund County?",
    "Which poet was a mayor?",
    "Where is the Reyer Academy?",
    "Who taught the painter Elva Kron?",
    "What did the husband of Mina Holt build?",
    "Where did Ida Brandt work?",
    "Which poem is about Halvik?",
    "When was the harbour of Halvik built?",
    "Who is the father of the author of The Grey Harbour?",
)
PAINTER = "Which painter was Elva Kron?"
"""A question whose best chunk is on a page."""
NAME = "adapters"
SHARED = "ADAPTED_CORPUS_FOLDER"
"""Variable with a folder for several runs on one server: the first makes the corpus there, the others find it."""
METHODS = ("evidence", "gain", "tree", "bipartite", "anchor", "dense", "keyword", "fused")


def documents() -> list[Document]:
    """Twelve documents with a year, a kind and tags, of which one has pages."""
    tagged = [
        replace(
            one, source=f"world/{one.id}.md", metadata={**one.metadata, "tags": ["even" if place % 2 == 0 else "odd"]}
        )
        for place, one in enumerate(small_world.documents())
    ]
    first, *others = tagged
    return [replace(first, pages=(Page(0, 7),)), *others]


def gather(ask: Callable[[str], Awaitable[Any]]) -> list[Any]:
    """Results of a coroutine function for each question, one after another in one event loop."""

    async def one_by_one() -> list[Any]:
        return [await ask(question) for question in QUESTIONS]

    return asyncio.run(one_by_one())


def example(heading: str, level: str = "##") -> str:
    """The first example below a heading of docs/adapters.md, on the corpus of the tests."""
    page = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")
    section = page.split(f"\n{level} {heading}\n", 1)[1].split(f"\n{level} ", 1)[0]
    return section.split("```python\n", 1)[1].split("\n```", 1)[0].replace('"handbook"', f'"{NAME}"')


def run(source: str) -> dict[str, Any]:
    """Run an example, close its client, and return its variables."""
    variables: dict[str, Any] = {"__name__": "example"}
    exec(source, variables)  # noqa: S102 - the example of the page
    variables["client"].close()
    return variables
