"""The MCP server: eight tools, resources for documents and sessions, and a prompt."""

from __future__ import annotations

from collections.abc import Callable
from inspect import getdoc
from typing import Annotated, Any, Final, TypeAlias

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, ResourceSecurity
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.types import ToolAnnotations
from pydantic import Field

from tetragraph.errors import NotFound, TetragraphError
from tetragraph.language.prompts import fence
from tetragraph.service.mcp import uris
from tetragraph.service.mcp.arguments import AccessOf, Asked, Run, in_thread, run_anywhere
from tetragraph.service.mcp.graph_tools import GraphTools
from tetragraph.service.mcp.question_tools import QuestionTools
from tetragraph.service.mcp.results import DATA_RULE, Result
from tetragraph.service.mcp.strict import StrictServer
from tetragraph.version import __version__

INSTRUCTIONS: Final = f"""
Searches corpora of documents and their knowledge graphs. Begin with `corpora`. `search` returns passages to read and
cite, `ask` an answer with checked quotes, `explain` why a passage was found, `facts` and `entity` what is stated about
whom, `themes` what a corpus is about, `session` searches in several steps. Cite title and place of what you use.
{DATA_RULE}
""".strip()
MOST_CHUNKS: Final = 200
"""Largest number of passages of a document in one resource; a longer document ends with a note."""
Tools: TypeAlias = tuple[Callable[..., Result], ...]
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
RECORDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
"""For tools that may store a session."""
KEYS = ResourceSecurity(exempt_params={"document", "session"})
"""Ids are keys of a database, never paths of this machine, and those of documents may look like paths."""


def create_server(access_of: AccessOf, run: Run = run_anywhere) -> MCPServer[Any]:
    """Create the server.

    Args:
        access_of: Returns the access of the caller of a request.
        run: Calls a function in a thread.
    """
    server = StrictServer(
        "tetragraph",
        title="tetragraph",
        description="Questions over documents and their knowledge graphs",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        subscriptions=False,
    )
    questions, graphs = QuestionTools(access_of), GraphTools(access_of)
    reading: Tools = (
        graphs.corpora, questions.search, questions.explain, questions.facts, graphs.entity, graphs.themes
    )  # fmt: skip
    recording: Tools = (questions.ask, graphs.session)
    for tools, hints in ((reading, READS), (recording, RECORDS)):
        for tool in tools:
            server.add_tool(in_thread(tool, run), description=getdoc(tool), annotations=hints)
    _add_resources(server, access_of, run)
    server.prompt(name="answer_with_citations", title="Answer with citations")(answer_with_citations)
    return server


def _add_resources(server: MCPServer[Any], access_of: AccessOf, run: Run) -> None:
    @server.resource(
        uris.DOCUMENT, name="document", mime_type="text/plain", security=KEYS, description="Text of a document, fenced."
    )
    async def document(corpus: str, document: str, context: Context) -> str:
        try:
            found = await run(
                Asked(context), lambda: access_of(context).corpus(corpus).document(document, limit=MOST_CHUNKS)
            )
        except TetragraphError as error:
            raise _resource_error(error) from error
        rest = "" if found.is_whole else f"\n\n(The first {len(found.chunks):,} of {found.record.chunks:,} passages.)"
        return f"{DATA_RULE}\n\n{found.record.name}\n{fence('document', found.text).text}{rest}"

    @server.resource(
        uris.SESSION,
        name="session",
        mime_type="application/json",
        security=KEYS,
        description="A search in several steps: its steps with passages, graph and conclusions.",
    )
    async def session(corpus: str, session: str, context: Context) -> str:
        try:
            return await run(Asked(context), lambda: access_of(context).corpus(corpus).session(session).export("json"))
        except TetragraphError as error:
            raise _resource_error(error) from error


def _resource_error(error: TetragraphError) -> ResourceError:
    return ResourceNotFoundError(str(error)) if isinstance(error, NotFound) else ResourceError(str(error))


def answer_with_citations(
    corpus: Annotated[str, Field(description="Name of the corpus.")],
    question: Annotated[str, Field(description="The question.")],
) -> str:
    """Answer a question from a corpus, with a citation for every statement."""
    return (
        f"Answer the question below from the corpus {corpus!r} of tetragraph, and from nothing else.\n\n"
        f"{fence('question', question).text}\n\n"
        "1. Call `search` with the question. If passages are missing for a part of it, search for that part, or call "
        "`session` for a search in several steps.\n"
        "2. Write a short answer. Behind each statement put the number of the passage that supports it, like [1].\n"
        "3. Under the answer list the passages cited: number, title, place, and the words that support the statement, "
        "copied exactly.\n"
        "4. If the passages do not contain the answer, say so, and say what they do contain.\n\n"
        f"{DATA_RULE}"
    )
