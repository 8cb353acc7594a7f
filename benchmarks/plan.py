"""What a run of the benchmarks is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tetragraph.settings import Settings


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of the command line; every part is given them.

    Attributes:
        home: Folder of the benchmarks' own stores; what one part brings in serves the next.
        questions: How many questions are asked at the most.
        sizes: Chunks of the synthetic corpora, ascending.
    """

    home: Path
    questions: int
    sizes: tuple[int, ...]

    @property
    def settings(self) -> Settings:
        """The stores of the benchmarks: a home of their own, the machine's cache of jars."""
        return Settings(home=self.home / "home")

    @property
    def environment(self) -> dict[str, str]:
        """The same for a process of its own."""
        chosen = self.settings
        return {"TETRAGRAPH_HOME": str(chosen.home), "TETRAGRAPH_CACHE": str(chosen.cache)}
