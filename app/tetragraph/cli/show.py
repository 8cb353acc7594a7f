"""``show``: prints a document of a corpus, whole or around one place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from tetragraph.cli.arguments import CorpusName, Json
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import TerminalProgress, out, print_json
from tetragraph.errors import InvalidInput
from tetragraph.model import Chunk
from tetragraph.model.stored_documents import StoredDocument

commands = typer.Typer()
MOST_CHUNKS = 1_000_000

DocumentId = Annotated[str, typer.Argument(help="Id of the document, as shown below each hit.")]
Offset = Annotated[
    int | None,
    typer.Option("--at", min=0, help="Show only the passage with this character of the text, and mark the character."),
]


@commands.command(epilog="Example: tetragraph show docs/guide/intro.md --corpus handbook --at 1200")
def show(document: DocumentId, corpus: CorpusName, at: Offset = None, json: Json = False) -> None:
    """Show a document: its passages with page, heading and the offsets of their characters."""
    with TerminalProgress(quiet=json) as progress, connect(None, progress) as client:
        found = client.corpus(corpus).document(document, limit=MOST_CHUNKS)
        file = client.corpus(corpus).files([document]).get(document, "")
    record = found.record
    chunks = found.chunks if at is None else (_find(found, at),)
    if json:
        print_json({"record": record, "file": file, "chunks": chunks})
        return
    out.print(Text.assemble((record.name, "bold")), soft_wrap=True)
    out.print(file_link(record.source or record.id, file), soft_wrap=True)
    if record.language:
        out.print(f"language: {record.language}", markup=False, style="dim", soft_wrap=True)
    for key, value in record.metadata.items():
        out.print(f"{key}: {value}", markup=False, style="dim", soft_wrap=True)
    left_out = list(found.left_out if at is None else ())
    for chunk in chunks:
        while left_out and left_out[0][0] < chunk.start:
            _print_left_out(left_out.pop(0)[1])
        out.print()
        out.print(Text(f"{chunk.place}, characters {chunk.start}-{chunk.end}", style="cyan"), soft_wrap=True)
        out.print(_marked(chunk, at), soft_wrap=True)
    for _, text in left_out:
        _print_left_out(text)


def _print_left_out(text: str) -> None:
    out.print()
    out.print("not indexed, as many documents have these lines:", style="dim")
    out.print(Text(text, style="dim"), soft_wrap=True)


def file_link(shown: str, origin: str) -> Text:
    """A place as a link to its file, which terminals that know links open; others show the text alone."""
    is_there = bool(origin) and Path(origin).is_file()
    return Text(shown, style=f"link {Path(origin).as_uri()}" if is_there else "")


def _find(document: StoredDocument, offset: int) -> Chunk:
    """The chunk with a character of the text, or the next one if the character is between two."""
    chunk = next((one for one in document.chunks if offset < one.end), None)
    if chunk is None:
        raise InvalidInput(f"--at must be below {document.chunks[-1].end}, where the text ends, got {offset}")
    return chunk


def _marked(chunk: Chunk, offset: int | None) -> Text:
    """The text of a chunk, with the character at an offset of the document in reverse."""
    text = Text(chunk.text)
    if offset is not None and offset >= chunk.start:
        text.stylize("reverse", offset - chunk.start, offset - chunk.start + 1)
    return text
