"""``demo``: from nothing to ranked evidence, on a corpus that is shipped."""

from __future__ import annotations

from importlib.resources import as_file

import typer

from tetragraph import samples
from tetragraph.cli.arguments import Hits, MethodName, Questions
from tetragraph.cli.output import TerminalProgress, err, out
from tetragraph.cli.search import show
from tetragraph.client import Corpus, Tetragraph
from tetragraph.settings import Settings
from tetragraph.stores import local

commands = typer.Typer()
CORPUS = "demo"
BROWSER_QUERY = (
    "MATCH way = (:Chunk {corpus: 'demo', title: $title})-[:MENTIONS]->(:Entity)<-[:DESCRIBES]-(:Chunk) "
    "RETURN way LIMIT 25"
)


@commands.command(epilog="Example: tetragraph demo --questions 3")
def demo(questions: Questions = 3, k: Hits = 5, method: MethodName = "evidence") -> None:
    """Start Neo4j, bring in 1,890 passages of Wikipedia, and ask multi-hop questions."""
    settings = Settings()
    with TerminalProgress() as progress, Tetragraph.connect(settings, progress=progress) as client:
        corpus = client.corpus(CORPUS)
        with as_file(samples.passages()) as file:
            report = corpus.ingest(file, progress=progress)
    counts = report.counts
    out.print(
        f"\n{counts['documents']:,} documents, {counts['entities']:,} entities, {counts['mentions']:,} mentions, "
        f"{counts['gain_edges']:,} gain edges in {sum(report.seconds.values()):.0f} s\n"
    )
    with Tetragraph.connect(settings) as client:
        found, wanted, title = _ask(client.corpus(CORPUS), questions, k, method)
    out.print(f"{found} of {wanted} gold passages (★) are among the first {k}.\n")
    _point_to_browser(settings, title)


def _ask(corpus: Corpus, questions: int, k: int, method: str) -> tuple[int, int, str]:
    """Ask, show, and count the gold that was found; returns the title of the last best passage too."""
    found = wanted = 0
    title = ""
    for question in samples.questions()[:questions]:
        evidence = corpus.search(question.question, k=k, method=method)
        gold = frozenset(question.supporting)
        out.print(f"[bold cyan]{question.question}[/]  ({question.hops} hops; answer: {question.answers[0]})")
        show(evidence, explain=False, gold=gold)
        out.print()
        found += len(gold & {hit.chunk.document_id for hit in evidence})
        wanted += len(gold)
        title = evidence[0].chunk.title
    return found, wanted, title


def _point_to_browser(settings: Settings, title: str) -> None:
    server = None if settings.neo4j_uri else local.find(settings)
    if server is None:
        err.print("look at the graph in your server's Neo4j Browser with this query:")
    else:
        out.print(f"Look at the graph: {server.browser_url}", markup=False, soft_wrap=True)
        out.print(f"  user {server.user}, password {server.password}", markup=False)
        out.print("Paste this there:")
    out.print("  " + BROWSER_QUERY.replace("$title", repr(title)), markup=False, soft_wrap=True)
    if server is not None:
        out.print("Stop Neo4j with: tetragraph down")
