"""URIs of the resources: documents and sessions of a corpus."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

DOCUMENT: Final = "tetragraph://{corpus}/documents/{document}"
SESSION: Final = "tetragraph://{corpus}/sessions/{session}"


def document_uri(corpus: str, document: str) -> str:
    """URI of a document.

    >>> document_uri("handbook", "travel/policy 1.md")
    'tetragraph://handbook/documents/travel%2Fpolicy%201.md'
    """
    return DOCUMENT.format(corpus=corpus, document=quote(document, safe=""))


def session_uri(corpus: str, session: str) -> str:
    """URI of a session."""
    return SESSION.format(corpus=corpus, session=session)
