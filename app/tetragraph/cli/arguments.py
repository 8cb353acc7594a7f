"""Arguments and options that the commands take, each described once."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
CorpusName = Annotated[str, typer.Option("--corpus", "-c", help="Name of the corpus.")]
Sources = Annotated[list[str], typer.Argument(help="Folders, files or glob patterns.")]
Graphs = Annotated[
    list[str] | None, typer.Option("--build", help="What to build: gain (default), types, or none. May be repeated.")
]
EmbedderName = Annotated[
    str | None, typer.Option("--embedder", help="For a new corpus: minilm (default), bge-small, openai:MODEL …")
]
ChunkTokens = Annotated[
    int | None, typer.Option("--chunk-tokens", help="For a new corpus: the longest chunk, in tokens.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 3 when a source was skipped.")]
Documents = Annotated[
    list[str] | None, typer.Option("--document", "-d", help="Id of a document; may be repeated. Without it all goes.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a whole corpus is deleted.")]
Hits = Annotated[int, typer.Option("-k", help="How many passages.")]
MethodName = Annotated[str, typer.Option("--method", "-m", help="evidence, gain, dense, keyword or fused.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A setting of the method, NAME=VALUE; may be repeated.")
]
Conditions = Annotated[
    list[str] | None, typer.Option("--filter", "-f", help="KEY=VALUE, KEY>=VALUE or KEY<=VALUE on metadata.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")]
Questions = Annotated[int, typer.Option("--questions", "-n", min=1, help="How many sample questions to ask.")]
