"""Asks a language model for names of communities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ConfigDict

from tetragraph.errors import UnusableReply
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.prompts import Fenced, fences, load
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_schema

BATCH: Final = 4
"""Largest number of communities in one request."""
_FRAME, _ENTRY = 8, 20
"""Approximate tokens of a reply: around the entries, and for each entry."""
_ROOM: Final = 4
"""Ratio of the longest to the expected reply, as replies may be indented and tokenizers differ."""
_LONGEST: Final = 80
"""Limit of a name in characters."""


@dataclass(frozen=True, slots=True)
class Community:
    """Description of a community in the prompt.

    Attributes:
        telling: Names and words that distinguish the community from others.
        beginnings: Titles and first sentences of the central chunks, the most central first.
    """

    telling: str
    beginnings: tuple[str, ...]

    @property
    def prompt_text(self) -> str:
        """Text for the model."""
        return "\n".join([self.telling, *(f"- {beginning}" for beginning in self.beginnings)])


class NameEntry(BaseModel):
    """Name of one community."""

    model_config = ConfigDict(json_schema_extra={"description": "What one community is called."})

    theme: int
    name: str


class NamesReply(BaseModel):
    """A reply."""

    names: list[NameEntry]


def requests(communities: Sequence[Community]) -> Iterator[Request]:
    """The requests for the names of communities."""
    return (_request(batch) for batch in _batches(communities))


def name_communities(operation: Operation, communities: Sequence[Community]) -> list[str]:
    """Name each community, in order; a name is empty if the model returned no usable one.

    Raises:
        LlmError: the operation failed for a reason other than an unreadable reply, whose communities have empty names.
    """

    def name_batch(batch: Sequence[Community]) -> list[str]:
        try:
            reply = operation.structured(_request(batch), NamesReply)
        except UnusableReply:
            return [""] * len(batch)
        found: dict[int, str] = {}
        for entry in reply.names:
            found.setdefault(entry.theme, one_line(entry.name).strip(" \"'.")[:_LONGEST].strip())
        return [found.get(number, "") for number in range(1, len(batch) + 1)]

    return [name for names in operation.map(name_batch, _batches(communities)) for name in names]


def _batches(communities: Sequence[Community]) -> list[Sequence[Community]]:
    return [communities[start : start + BATCH] for start in range(0, len(communities), BATCH)]


def _request(batch: Sequence[Community]) -> Request:
    expected = _FRAME + _ENTRY * len(batch)
    values: Mapping[str, Fenced | int] = {
        "themes": fences("theme", [one.prompt_text for one in batch]),
        "count": len(batch),
    }
    return with_schema(load("community_names").request(_ROOM * expected, values, expected=expected), NamesReply)
