"""``demo``: starts Neo4j, ingests the demo corpus and asks multi-hop questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from tetragraph import samples
from tetragraph.cli.arguments import BUILT_BY_DEFAULT, Hits, Json, MethodName, Questions
from tetragraph.cli.llm_options import connect, settings_for
from tetragraph.cli.output import TerminalProgress, err, out, print_json
from tetragraph.cli.search import show
from tetragraph.errors import InvalidInput, UnknownCorpus
from tetragraph.model import Evidence

if TYPE_CHECKING:
    from tetragraph.client.corpus import Corpus
    from tetragraph.settings import Settings

commands = typer.Typer()
CORPUS = "demo"
BROWSER_QUERY = (
    "MATCH way = (:Chunk {corpus: 'demo', title: $title})-[:MENTIONS|DESCRIBES]->(:Entity)"
    "<-[:MENTIONS|DESCRIBES]-(:Chunk) RETURN way LIMIT 25"
)


@commands.command(epilog="Example: tetragraph demo --questions 3")
def demo(questions: Questions = 3, k: Hits = 5, method: MethodName = "evidence", json: Json = False) -> None:
    """Start Neo4j, ingest 1,890 passages of Wikipedia, and ask multi-hop questions.

    Also builds the graph that the method needs, if the corpus has none.
    """
    graphs = _check_search(k, method)
    with TerminalProgress(quiet=json) as progress, connect(progress=progress, starts_empty=True) as client:
        corpus = client.corpus(CORPUS)
        _refuse_other_documents(corpus)
        report = corpus.ingest(samples.passages(), build=graphs, progress=progress)
    with connect() as client:
        corpus = client.corpus(CORPUS)
        results = [(one, corpus.search(one.question, k=k, method=method)) for one in samples.questions()[:questions]]
    if json:
        print_json({"ingest": report, "answers": [{"question": one, "evidence": found} for one, found in results]})
        return
    counts = report.counts
    out.print(
        f"\n{counts['documents']:,} documents, {counts['entities']:,} entities, {counts['mentions']:,} mentions, "
        f"{counts['gain_edges']:,} gain edges in {sum(report.seconds.values()):.0f} s\n"
    )
    _show(results, k)
    out.print(f"See its themes: tetragraph build tree -c {CORPUS} && tetragraph tree {CORPUS}\n", soft_wrap=True)
    _print_browser_query(settings_for(), results[-1][1][0].chunk.title)


def _check_search(k: int, method: str) -> list[str]:
    """Check the arguments of the searches before minutes are spent on an ingest; returns the graphs to build.

    Raises:
        UnknownMethod: there is no such method.
        InvalidInput: ``k`` is not a positive integer.
    """
    from tetragraph.retrieval.request import check_question
    from tetragraph.systems.registry import find_retriever

    retriever = find_retriever(method)
    check_question(samples.questions()[0].question, k)
    return list(dict.fromkeys(filter(None, (BUILT_BY_DEFAULT, retriever.requires))))


def _refuse_other_documents(corpus: Corpus) -> None:
    """Refuse to ingest into a corpus of the user that has the name of the demo.

    Raises:
        InvalidInput: the corpus has documents that are no samples.
    """
    ids = samples.passage_ids()
    try:
        stored = corpus.documents(limit=len(ids) + 1)
    except UnknownCorpus:
        return
    if other := next((one.id for one in stored if one.id not in ids), None):
        raise InvalidInput(
            f"the demo needs a corpus {CORPUS!r} with its samples alone, got one with the document {other!r}: nothing "
            "was written; run the demo in another home (TETRAGRAPH_HOME), or keep that corpus under another name: "
            f"`tetragraph backup FILE -c {CORPUS}`, `tetragraph restore FILE --as NAME`, `tetragraph delete {CORPUS}`"
        )


def _show(results: Sequence[tuple[samples.Question, Evidence]], k: int) -> None:
    """Print each question with its evidence, and the share of gold chunks found."""
    found = wanted = 0
    for question, evidence in results:
        gold = frozenset(question.supporting)
        out.print(Text(question.question, style="bold cyan"))
        out.print(f"({question.hops} hops; the answer is: {question.answers[0]})", markup=False)
        show(evidence, gold=gold)
        out.print()
        found += len(gold & {hit.chunk.document_id for hit in evidence})
        wanted += len(gold)
    out.print(f"{found} of {wanted} gold passages (★) are among the first {k}.\n")


def _print_browser_query(settings: Settings, title: str) -> None:
    from tetragraph.stores import local

    server = None if settings.neo4j_uri else local.find(settings)
    if server is None:
        err.print("look at the graph in your server's Neo4j Browser with this query:")
    else:
        out.print(f"Look at the graph: {server.browser_url}", markup=False, soft_wrap=True)
        out.print(f"  asks for the password of user {server.user}: it is in {server.password_file}", markup=False)
        out.print("Paste this there:")
    out.print("  " + BROWSER_QUERY.replace("$title", repr(title)), markup=False, soft_wrap=True)
    if server is not None:
        out.print("Stop Neo4j with: tetragraph down")
