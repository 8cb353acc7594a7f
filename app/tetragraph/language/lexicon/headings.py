"""Headings as names: without section numbers, and none that many documents share as a common word."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import Chunk

_SHARED_BY: Final = 3
"""Smallest number of documents that share a generic heading."""
_NUMBER: Final = re.compile(
    r"\s*(?:(?:annex|appendix|article|chapter|item|note|part|section)\s+)?"
    r"(?:\d+(?:\.\d+)+\.?|\d+\.|[A-Z]\.\d+(?:\.\d+)*\.?)\s+(?=\S)",
    re.I,
)
_SIGNS: Final = re.compile(r"\s*[¶§#]+\s*$")


def without_section_number(heading: str) -> str:
    """A heading without the number of its section, with which it begins, and without the sign of its link.

    >>> [without_section_number(one) for one in ("27.4. Hot Standby", "Modules¶", "Item 3. Notes", "Part II 3. Pay")]
    ['Hot Standby', 'Modules', 'Notes', 'Part II 3. Pay']
    """
    bare = _SIGNS.sub("", heading)
    number = _NUMBER.match(bare)
    return bare[number.end() :] if number else bare


def find_generic_headings(chunks: Sequence[Chunk], common: Collection[str]) -> set[str]:
    """Normalised headings that stand in at least three documents and consist of common words, such as "Description".

    Args:
        chunks: Chunks of a corpus.
        common: Normalised words that are no names.
    """
    documents: defaultdict[str, set[str]] = defaultdict(set)
    for chunk in chunks:
        if chunk.title not in ("", chunk.document_title):
            documents[normalise_name(without_section_number(chunk.title))].add(chunk.document_id)
    return {
        name
        for name, found in documents.items()
        if len(found) >= _SHARED_BY and all(word in common or word.isdigit() for word in name.split())
    }
