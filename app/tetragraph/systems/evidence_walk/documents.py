"""Numbers the documents of chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tetragraph.arrays import Longs


def number_documents(ids: Sequence[str], file_names: Mapping[str, str]) -> tuple[Longs, Sequence[str]]:
    """Number documents in order of their ids.

    Args:
        ids: Id of the document of each chunk.
        file_names: Name of the file of each document without another title, by id.

    Returns:
        ``(chunks,)`` number of the document of each chunk, and the name of the file of each document, empty for one
        with another title; no names at all if every document has another title.
    """
    found, numbers = np.unique(ids, return_inverse=True)
    names = [file_names.get(one, "") for one in found.tolist()] if file_names else []
    return numbers.astype(np.int64), names
