"""Types of entities, recognised by spaCy on request, never during ingest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from tetragraph.language.spacy_model import TYPING, use_model

TYPES: Final = {
    "PERSON": "PERSON",
    "GPE": "PLACE",
    "LOC": "PLACE",
    "FAC": "PLACE",
    "ORG": "ORGANIZATION",
    "NORP": "GROUP",
    "DATE": "DATE",
    "TIME": "DATE",
    "WORK_OF_ART": "WORK",
    "EVENT": "EVENT",
    "PRODUCT": "PRODUCT",
    "LAW": "LAW",
    "LANGUAGE": "LANGUAGE",
}
"""spaCy's (OntoNotes) labels to the types of entities; the labels of numbers become ``OTHER``."""
_BATCH = 64


def entity_types(examples: Sequence[tuple[str, str]]) -> list[str]:
    """Determine the type of each entity from a sentence.

    Takes about 5 ms for each example. The result for an example does not depend on the others.

    Args:
        examples: Pairs of an entity's name and a sentence that mentions it.

    Returns:
        For each example one of the values of :data:`TYPES`, ``OTHER`` for a number, or ``""`` if the model finds no
        entity at the name. The model is small: about 84 % are correct on news text, fewer on titles of films and books.

    Raises:
        MissingDependency: spaCy or its English model is not installed.
    """
    names = [name for name, _ in examples]
    with use_model(TYPING, "types of entities") as model:
        documents = model.pipe((sentence for _, sentence in examples), batch_size=_BATCH)
        return [_type(name, document) for name, document in zip(names, documents, strict=True)]


def _type(name: str, document: Any) -> str:
    """Most frequent type of the name's mentions in the sentence; the first of equals."""
    votes = Counter(TYPES.get(span.label_, "OTHER") for span in _overlapping(name, document))
    return max(votes, key=lambda label: votes[label]) if votes else ""


def _overlapping(name: str, document: Any) -> Iterable[Any]:
    """Entities found by the model that share at least half of their letters with a mention of the name."""
    for mention in re.finditer(re.escape(name), document.text, re.IGNORECASE) if name else ():
        start, end = mention.span()
        for span in document.ents:
            shared = min(end, span.end_char) - max(start, span.start_char)
            if shared * 2 >= max(end - start, span.end_char - span.start_char):
                yield span
