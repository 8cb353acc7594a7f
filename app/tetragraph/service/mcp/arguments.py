"""Arguments of the tools, each described once, and the thread that a tool runs in."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ParamSpec, Protocol, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from tetragraph.client.corpus import Corpus
from tetragraph.errors import TetragraphError
from tetragraph.service.mcp.access import Access
from tetragraph.service.mcp.bounds import LEAST_TOKENS, MOST_TOKENS, TOKENS
from tetragraph.systems.names import METHODS

CorpusArgument = Annotated[str, Field(description="Name of the corpus; the tool `corpora` lists them.")]
Question = Annotated[str, Field(description="A question in plain words; it may need several facts to be combined.")]
Hits = Annotated[int, Field(ge=1, le=100, description="Number of results.")]
Method = Annotated[
    str,
    Field(
        description=f"Search method: {', '.join(METHODS)}. `evidence` is the best for questions that need several "
        "passages; `keyword` finds exact words."
    ),
]
FiltersArgument = Annotated[
    dict[str, Any] | None,
    Field(
        description='Conditions on metadata: {"year": 1990}, {"year": {"gte": 1990}}, {"tag": ["a", "b"]}; '
        '{"@source": "*.pdf"} for files.'
    ),
]
Options = Annotated[
    dict[str, Any] | None,
    Field(
        description='Options of the search method by name, such as {"as_of": "2024-05-31"} for the documents that were '
        "valid on a day; leave out for the defaults."
    ),
]
Size = Annotated[
    int,
    Field(ge=LEAST_TOKENS, le=MOST_TOKENS, description=f"Largest size of the result in tokens; {TOKENS:,} by default."),
]
AccessOf = Callable[[Context], Access]
"""Returns the access of the caller of a request."""
P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class ToolGroup:
    """Tools that share the access of the caller."""

    def __init__(self, access_of: AccessOf) -> None:
        self._access_of = access_of

    def _corpus(self, context: Context, name: str) -> Corpus:
        return self._access_of(context).corpus(name)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of a tool, or the reading of a resource.

    Attributes:
        context: Context of the request.
        tool: Name of the tool; empty for a resource.
        arguments: Arguments of the tool by name, with its defaults.
    """

    context: Context
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)


class Run(Protocol):
    """Calls a function in a thread."""

    async def __call__(self, asked: Asked, call: Callable[[], ResultT], /) -> ResultT:
        """Result of the function, which is the answer to what a client asks for.

        Raises:
            ServiceBusy: no thread becomes free in time.
        """


async def run_anywhere(_: Asked, call: Callable[[], ResultT], /) -> ResultT:
    """Call a function in a thread of the event loop."""
    return await asyncio.to_thread(call)


def in_thread(tool: Callable[P, ResultT], run: Run) -> Callable[P, Awaitable[ResultT]]:
    """A tool that runs in a thread, with the parameters of the original.

    Errors of the client reach the model with their remedy; the SDK withholds the text of all others.
    """
    signature = inspect.signature(tool)

    @functools.wraps(tool)
    async def call(*args: P.args, **named: P.kwargs) -> ResultT:
        given = signature.bind(*args, **named)
        given.apply_defaults()
        asked = Asked(given.arguments["context"], tool.__name__, given.arguments)
        try:
            return await run(asked, functools.partial(tool, *args, **named))
        except TetragraphError as error:
            raise ToolError("\n".join([str(error), *getattr(error, "__notes__", [])])) from error

    return call
