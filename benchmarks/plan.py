"""Parameters of a run of the benchmarks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tetragraph.settings import Settings
from tetragraph.stores import local


@dataclass(frozen=True, slots=True)
class Plan:
    """Parameters of the command line, for every part.

    Attributes:
        home: Folder of the stores of the benchmarks; the parts share their corpora.
        questions: Largest number of questions.
        sizes: Numbers of chunks of the synthetic corpora, ascending.
    """

    home: Path
    questions: int
    sizes: tuple[int, ...]

    @property
    def settings(self) -> Settings:
        """Settings with the benchmarks' own home, and the machine's cache of jars; no result is kept."""
        return Settings(home=self.home / "home", kept_results=0)

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables for a process with these settings."""
        chosen = self.settings
        return {
            "TETRAGRAPH_HOME": str(chosen.home),
            "TETRAGRAPH_CACHE": str(chosen.cache),
            "TETRAGRAPH_KEPT_RESULTS": "0",
        }


@contextmanager
def own_stores(name: str) -> Iterator[Plan]:
    """A plan for a part that is measured by itself, in a home that is deleted and with a Neo4j that is stopped.

    Args:
        name: What the name of the home tells about it.
    """
    with tempfile.TemporaryDirectory(prefix=f"tetragraph-{name}-") as home:
        plan = Plan(Path(home), 0, ())
        try:
            yield plan
        finally:
            local.stop(plan.settings)
