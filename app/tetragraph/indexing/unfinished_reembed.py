"""The change of an embedder that has begun and not ended: running, interrupted, or kept by ``--if``."""

from __future__ import annotations

from dataclasses import dataclass

from tetragraph.stores.graph import Graph


@dataclass(frozen=True, slots=True)
class UnfinishedReembed:
    """A change of the embedder that is not complete; searches use the former vectors until it is.

    Attributes:
        corpus: Name of the corpus.
        embedder: Embedder that the corpus is to have.
    """

    corpus: str
    embedder: str

    @property
    def remedy(self) -> str:
        """The commands that end the change, in words."""
        command = f"tetragraph reembed {self.corpus}"
        return f"`{command} --embedder {self.embedder}` continues it, `{command} --cancel` gives it up"


def find_unfinished(graph: Graph, corpus: str) -> UnfinishedReembed | None:
    """The change of a corpus' embedder that is not complete; None without one, or without that corpus."""
    row = graph.get("reembed/get_next_set", corpus=corpus)
    return UnfinishedReembed(corpus, row["embedder"]) if row else None
