"""A corpus with everything in the schema: all graphs, all kinds of sessions, and traces of interruptions.

The schema document is written from it, and checked against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import anchored_world
import scripted_anchors
import scripted_policy
from scripted_llm import ScriptedLlm
from stored_policies import store_policy
from tetragraph import Corpus, Document, GoldQuestion, Heading, Page, Settings, Tetragraph
from tetragraph.model import Metadata
from tetragraph.service.jobs.store import JobStore
from tetragraph.service.keys import KeyStore
from tetragraph.systems.bipartite_graph import stored

UNION, SHORT = "Sund Union of Fishing Towns", "SUFT"
TEXTS = {
    UNION: f"The {UNION} ({SHORT}) was founded in Halvik by Orla Brandt. Brandt led it for eleven years.",
    "Seats of unions": f"{SHORT} has its seat in Old Port. Mina Holt lived in Old Port in 1903.",
    "Chronicle": " ".join(
        f"In {year} the harbour of Halvik was closed for {year % 7 + 2} days, as storms came in from the sea."
        for year in range(1880, 1890)
    ),
}
TEXTS["Λιμάνι"] = "Το λιμάνι του Χάλβικ χτίστηκε το 1881, αφού η παλιά προβλήτα χάθηκε σε μια καταιγίδα. " * 2
TEXTS["Diary"] = f"{TEXTS['Chronicle']} It was cold."
METADATA: Metadata = {"share": 0.5, "checked": True, "tags": ["sea"]}
FOLLOW_UP = "Who is the teacher of the sister of Elva Kron?"
UNANSWERED = "Who painted the ceiling of Orla Brandt?"
CHUNK_TOKENS = 64
_HOLDER = "another-machine pid 1 0"


def documents() -> list[Document]:
    """The anchored world, a document with several chunks, one nearly the same, a Greek one, two with short names."""
    more = [
        Document(
            title.lower().replace(" ", "-"),
            title,
            text,
            f"{title}.txt",
            {"share": 0.5, "checked": True, "tags": ["sea"]},
        )
        for title, text in TEXTS.items()
    ]
    anchored = anchored_world.documents()
    headings = (Heading(0, 1, more[-1].title),)
    left_out = ((len(more[-1].text) - 12, len(more[-1].text)),)
    pages = (Page(0, 1, "sheet Ports"),)
    more[-1] = replace(more[-1], pages=pages, headings=headings, named_by_file=True, left_out=left_out)
    return [replace(one, origin="/world.jsonl") if one.id == "anders-vik" else one for one in (*anchored, *more)]


@contextmanager
def whole_world(settings: Settings, name: str) -> Iterator[None]:
    """Create the corpus ``name``, and drop it afterwards.

    Args:
        settings: Settings of the stores; their language model is replaced by a scripted one.
        name: Name of a corpus that does not exist.
    """
    with ScriptedLlm(_reply) as llm, Tetragraph.connect(llm.settings(settings)) as client:
        corpus = client.corpus(name)
        try:
            _build(corpus)
            _ask(corpus, store_policy(client, "asks-on", "next"))
            _interrupt(client, name)
            _store_jobs(client, name)
            key = _store_key(client)
            yield
            KeyStore(client.connection.graph).delete(key)
        finally:
            client.connection.graph.write("ingest/drop_lease", corpus=name, holder=_HOLDER)
            corpus.drop()


def _reply(body: scripted_anchors.Body) -> str:
    """Reply by rules; the reply to an unanswerable question has no step."""
    if "<query>" in body["messages"][0]["content"]:
        return scripted_policy.turn(body)
    return "I do not know." if UNANSWERED in str(body["messages"]) else scripted_anchors.reasoning(body)


def _build(corpus: Corpus) -> None:
    """Build all graphs, themes in two levels and types, and undo one merge."""
    corpus.ingest(documents(), build=("bipartite", "gain"), chunk_tokens=CHUNK_TOKENS)
    corpus.build("tree", height=3)
    corpus.build("types")
    corpus.entities.split(UNION, SHORT)


def _ask(corpus: Corpus, policy: str) -> None:
    """Create sessions: ended, with and without a model; continued; forked; with a policy; an episode; running."""
    list(corpus.anchor(anchored_world.QUESTION, policy=policy, generate=False))
    run = corpus.anchor(anchored_world.QUESTION, documents=1, filters={"kind": "page"})
    list(run)
    list(run.session.ask(FOLLOW_UP))
    list(run.session.fork(1, query="Who is the sister of Elva Kron?"))
    list(corpus.anchor(anchored_world.QUESTION, reasoner="llm", documents=1, generate=True))
    list(corpus.anchor(anchored_world.QUESTION, reasoner="llm", index="text", documents=1, generate=False))
    corpus.rollouts(
        [GoldQuestion("teacher", anchored_world.QUESTION, answers=(anchored_world.ANSWER,))], group=1, keep=True
    )
    list(corpus.anchor(UNANSWERED, reasoner="llm", steps=1, generate=False, ttl=timedelta(days=1)))
    next(iter(corpus.anchor(FOLLOW_UP, documents=1)))


def _store_key(client: Tetragraph) -> str:
    """Store a key of the service that was used, expires and was revoked; returns its id."""
    keys = KeyStore(client.connection.graph)
    _, record = keys.create(["search"], ["handbook"], name="website", lifetime=timedelta(days=1))
    keys.note_use(record.id)
    return keys.revoke(record.id).id


def _store_jobs(client: Tetragraph, name: str) -> None:
    """Store jobs of the service: done, failed, and running while it is to be cancelled."""
    store = JobStore(client.connection.graph)
    for number, status in enumerate(("done", "failed", "running")):
        record = store.add(name, f"{number:016x}", "build", {"target": "tree"}, digest="0" * 64, caller="local")
        store.claim(record, _HOLDER)
        store.note(record.key, _HOLDER, [], is_new=True)
        if status == "done":
            store.end(record.key, _HOLDER, "done", result="{}")
        elif status == "failed":
            store.end(record.key, _HOLDER, "failed", problem="{}")
        else:
            store.cancel(name, record.form.id)


def _interrupt(client: Tetragraph, name: str) -> None:
    """Write the nodes of a change in progress and of an interrupted change, with their own statements."""
    stores, graph = client.connection.stores(name), client.connection.graph
    stored.mark_unfinished(stores, {})
    tree = graph.read("encoding_tree/get_tree", corpus=name)[0]
    graph.write("encoding_tree/upsert_unfinished", corpus=name, settings=tree["settings"])
    rows = [{"id": "chronicle", "chunk_ids": ["0123456789abcdef"]}]
    graph.write("ingest/upsert_pending_documents", corpus=name, rows=rows)
    graph.write("ingest/upsert_furniture", corpus=name, keys=["0123456789abcdef"])
    graph.write("ingest/upsert_lease", corpus=name, holder=_HOLDER, expected="", lease_ms=1)
