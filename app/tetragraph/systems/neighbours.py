"""Nearest neighbours of the chunks of a corpus, for the graphs that join similar chunks."""

from __future__ import annotations

from tetragraph.algorithms.neighbour_lists import NEAREST_LISTS, number_of_lists
from tetragraph.stores.corpus import CorpusStores


def note_lists(stores: CorpusStores, size: int, exact_up_to: int) -> None:
    """Add a note if neighbours of a corpus of ``size`` chunks are searched in lists."""
    if size > exact_up_to:
        stores.note(
            f"more than {exact_up_to:,} chunks (exact_up_to): each was compared with the chunks of the "
            f"{NEAREST_LISTS} nearest of {number_of_lists(size):,} lists, not with all; a few nearest neighbours are "
            f"missing"
        )
