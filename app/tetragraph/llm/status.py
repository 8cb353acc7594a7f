"""What is set, what is kept and what it cost, without asking the model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from tetragraph.llm import cache
from tetragraph.llm.file import LlmFile
from tetragraph.llm.ledger import Ledger
from tetragraph.model.usage import NOTHING, Total, Usage

if TYPE_CHECKING:
    from tetragraph.settings import Settings

_OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class LlmStatus:
    """The language model of the settings, and the file of replies.

    Attributes:
        model: Of the settings; None where none is set.
        endpoint: Its address without user, password and query; None without a model or with one that is replayed or
            served here.
        replies: Kept ones, of all models.
        file_mb: MB are 10^6 bytes.
        usage: Of all operations.
        totals: By operation, corpus and model.
    """

    model: str | None
    endpoint: str | None
    file: Path
    replies: int
    file_mb: float
    usage: Usage
    totals: tuple[Total, ...]


def status(settings: Settings) -> LlmStatus:
    """Look at settings and file; asks nobody.

    Raises:
        UnusableCache: the file cannot be used.
    """
    file = LlmFile.of(settings)
    try:
        totals = Ledger(file).totals()
        replies = cache.count(file)
    finally:
        file.close()
    usage = sum((total.usage for total in totals), NOTHING)
    return LlmStatus(
        settings.llm or None, _endpoint(settings), file.path, replies, file.size_bytes / 1e6, usage, tuple(totals)
    )


def _endpoint(settings: Settings) -> str | None:
    if not settings.llm or settings.llm.split(":")[0] in ("replay", "local"):
        return None
    return without_secrets(settings.llm_base_url or _OPENAI)


def without_secrets(address: str) -> str:
    """An address as it may be shown.

    >>> without_secrets("https://me:secret@llm.example:8443/v1?key=abc#there")
    'https://llm.example:8443/v1'
    """
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
