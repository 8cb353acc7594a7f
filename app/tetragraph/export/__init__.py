"""Export of a corpus' graph or a part of it as GraphML, JSON Lines and Parquet; of a part also as an HTML page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.export import corpus_graph, graphml, json_lines, parquet, subgraph_page
from tetragraph.export.contents import Contents, ExportReport, Form
from tetragraph.export.files import (
    FORMS,
    check_place,
    form_of,
    save,
)
from tetragraph.model.subgraphs import NodeKey, Subgraph

__all__ = ["FORMS", "ExportReport", "save_corpus", "save_subgraph"]

Writer = Callable[[Contents, Path], None]
WRITERS: Mapping[Form, Writer] = {"graphml": graphml.write, "jsonl": json_lines.write, "parquet": parquet.write}


def save_subgraph(
    subgraph: Subgraph,
    path: str | Path,
    *,
    form: str | None = None,
    title: str = "",
    ranks: Mapping[NodeKey, int] | None = None,
    places: Mapping[NodeKey, str] | None = None,
    overwrite: bool = False,
) -> ExportReport:
    """Write a part of a graph to a file; the same part gives the same bytes.

    Args:
        subgraph: Subgraph to write.
        path: Path of the file; for Parquet of a folder.
        form: ``graphml``, ``jsonl``, ``parquet`` or ``html``, a page that draws it; by default that of the suffix.
        title: Title of the page, such as the question.
        ranks: Rank by node for the nodes that are hits; the page marks them.
        places: Where a hit stands, such as its file and heading; the page lists hits with it.
        overwrite: Whether an existing file is replaced.

    Raises:
        InvalidInput: there is no such format, the path exists, or a page cannot draw that many nodes.
        MissingDependency: Parquet needs pandas and pyarrow, a page jinja2.
    """
    chosen = form_of(Path(path), form)
    draw = partial(subgraph_page.write, title=title, ranks=ranks or {}, places=places or {})
    writer = draw if chosen == "html" else WRITERS[chosen]
    return _save(Contents.of(subgraph), Path(path), chosen, writer, overwrite=overwrite)


def save_corpus(
    connection: Connection, corpus: str, path: str | Path, *, form: str | None = None, overwrite: bool = False
) -> ExportReport:
    """Write the whole graph of a corpus to a file; the same graph gives the same bytes.

    The graph is streamed: at most a few thousand rows are in memory, and the ids of sessions, their steps and anchors.
    Of these, what begins during the export is left out.

    Args:
        connection: Connection to the stores.
        corpus: Name of the corpus.
        path: Path of the file; for Parquet of a folder.
        form: ``graphml``, ``jsonl`` or ``parquet``; by default that of the suffix.
        overwrite: Whether an existing file is replaced.

    Raises:
        InvalidInput: there is no such format, or the path exists.
        MissingDependency: Parquet needs pandas and pyarrow.
        UnknownCorpus: there is no such corpus.
        StoreError: the database did not return all rows; nothing was written.
    """
    chosen = form_of(Path(path), form)
    if chosen == "html":
        raise InvalidInput(
            f"a page draws a part of a graph, such as that of a search, not a whole corpus, got {str(path)!r}: "
            f"take graphml, jsonl or parquet"
        )
    before = connection.stores(corpus).record
    sessions = corpus_graph.find_session_nodes(connection.graph, corpus)
    with closing(corpus_graph.nodes(connection.graph, corpus, sessions)) as nodes, closing(
        corpus_graph.links(connection.graph, corpus, sessions)
    ) as links:  # fmt: skip
        report = _save(Contents(corpus, nodes, links), Path(path), chosen, WRITERS[chosen], overwrite=overwrite)
    notes = corpus_graph.notes(before, connection.stores(corpus).record)
    return ExportReport(report.path, report.form, report.nodes, report.relationships, notes)


def _save(contents: Contents, path: Path, form: Form, writer: Writer, *, overwrite: bool) -> ExportReport:
    if form == "parquet":
        parquet.check()
    check_place(path, form, overwrite=overwrite)
    save(path, partial(writer, contents))
    nodes, links = (dict(sorted(counted.items())) for counted in contents.counted)
    return ExportReport(str(path), form, nodes, links)
