"""Types of the public interface: mypy checks this module, and nothing runs it.

``assert_type`` states the result of every public call. A line that ends in ``# type: ignore[…]`` must be an error:
mypy's ``warn_unused_ignores`` reports it if it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import assert_type

from tetragraph import (
    Affinity,
    AnchorGraph,
    AnchorRun,
    AnchorStep,
    Answer,
    AnswerStream,
    AsyncCorpus,
    AsyncTetragraph,
    BackupReport,
    Budget,
    Chunk,
    Citation,
    CopyReport,
    Corpus,
    CorpusSummary,
    Document,
    Estimate,
    EvaluationReport,
    Evidence,
    Explanation,
    ExportReport,
    FactEvidence,
    Finding,
    FoundFact,
    GoldQuestion,
    HealthReport,
    Hit,
    IngestPreview,
    IngestReport,
    Progress,
    ReadingOptions,
    ReembedReport,
    Session,
    SessionRecord,
    Settings,
    StoredDocument,
    Subgraph,
    SyncReport,
    Tetragraph,
    ThemeReport,
    TreeOverview,
    UpgradeReport,
    Usage,
    __version__,
)
from tetragraph.answering.sessions import Sessions
from tetragraph.client.analytics import Analytics, Statement, Table
from tetragraph.client.asynchronous import (
    AsyncAnalytics,
    AsyncAnchorRun,
    AsyncAnswerStream,
    AsyncEntities,
    AsyncPolicies,
    AsyncSession,
    AsyncSessions,
)
from tetragraph.client.entities import Entities
from tetragraph.client.policies import Policies
from tetragraph.evaluate.tune import Tuning
from tetragraph.indexing.vector_copy import VectorCopy
from tetragraph.model.anchors import Stopped
from tetragraph.model.episodes import Episode
from tetragraph.model.stored_documents import DocumentRecord
from tetragraph.rl.rollouts import Rollouts
from tetragraph.rl.training import TrainingReport
from tetragraph.stores.policies import PolicyVersion
from tetragraph.stores.vectors import Kind
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport
from tetragraph.systems.bipartite_graph.entity_queries import KnownFact, MergedName, RolePlayer, Way


def check_settings() -> None:
    assert_type(Settings(home=Path("home"), llm_base_url="http://localhost:8000/v1").home, Path)


def check_client(settings: Settings, progress: Progress) -> None:
    assert_type(__version__, str)
    with Tetragraph.connect(settings, progress=progress) as client:
        assert_type(client, Tetragraph)
        assert_type(client.corpus("demo"), Corpus)
        assert_type(client.corpora(), list[CorpusSummary])
        assert_type(client.copy_vectors("server", corpus="demo", progress=progress), list[VectorCopy])
        assert_type(client.claim_vectors("demo"), list[Kind])
        assert_type(client.policies, Policies)
        assert_type(client.policies.versions("mine"), list[PolicyVersion])
        assert_type(client.policies.roll_back("mine"), PolicyVersion | None)
        assert_type(client.restore("demo.tetragraph", name="copy"), BackupReport)
        assert_type(client.verify_backup(Path("demo.tetragraph")), BackupReport)
        assert_type(client.check_upgrade(backups=["demo.tetragraph"]), UpgradeReport)
        client.copy_vectors("elsewhere")  # type: ignore[arg-type]  # a side is local or server
        report = client.doctor(repair=True, delete=False, corpus="demo", progress=progress)
        assert_type(report, HealthReport)
        assert_type(report.findings, tuple[Finding, ...])
        client.doctor(True)  # type: ignore[call-arg]  # options are given by name
        client.doctor(mend=True)  # type: ignore[call-arg]  # no such option
        client.corpus(7)  # type: ignore[arg-type]  # a name is a text
    Tetragraph.connect(7)  # type: ignore[arg-type]  # settings, or the address of a service


def check_documents(corpus: Corpus, documents: Sequence[Document], progress: Progress) -> None:
    report = corpus.ingest(
        documents,
        build=("gain", "tree"),
        embedder="minilm",
        chunk_tokens=200,
        sentences="none",
        loader=None,
        budget=Budget(tokens=1000),
        progress=progress,
    )
    assert_type(report, IngestReport)
    assert_type(corpus.ingest(Path("docs")), IngestReport)
    assert_type(corpus.ingest("docs/*.md"), IngestReport)
    assert_type(corpus.build("tree", if_drifted=True, names="llm"), IngestReport)
    assert_type(corpus.estimate("gain", judge="llm"), Estimate)
    assert_type(corpus.find_gone(Path("docs"), prefix="docs"), tuple[str, ...])
    assert_type(corpus.sync("docs", dry_run=True), SyncReport)
    assert_type(corpus.backup("demo.tetragraph", vectors=False), BackupReport)
    assert_type(corpus.copy(Settings(), name="copy"), CopyReport)
    assert_type(corpus.fingerprint(), str)
    assert_type(corpus.reembed("minilm"), ReembedReport)
    assert_type(corpus.cancel_reembed(), bool)
    assert_type(corpus.documents(after="a", limit=10), tuple[DocumentRecord, ...])
    assert_type(corpus.chunks(["a"]), dict[str, Chunk])
    assert_type(corpus.preview("docs", reading=ReadingOptions(encoding="latin-1")), IngestPreview)
    assert_type(corpus.document("docs/a.md"), StoredDocument)
    assert_type(corpus.files(["docs/a.md"]), dict[str, str])
    assert_type(corpus.delete("a.md", "b.md", progress=progress), IngestReport)
    corpus.ingest()  # type: ignore[call-arg]  # a source is needed
    corpus.ingest("docs", builds=("gain",))  # type: ignore[call-arg]  # the option is called build
    corpus.build("gain", if_drifted=1)  # type: ignore[arg-type]  # true or false
    corpus.delete(7)  # type: ignore[arg-type]  # ids are texts


def check_questions(corpus: Corpus) -> None:
    budget = Budget(tokens=1000, money=0.5, deadline_s=60)
    evidence = corpus.search("?", k=3, method="gain", filters={"year": {"gte": 1990}}, budget=budget, seeds=5)
    assert_type(evidence, Evidence)
    assert_type(evidence[0], Hit)
    assert_type(evidence.usage, Usage)
    answer = corpus.ask("?", k=3, generate=True, iterations=2, context_tokens=500)
    assert_type(corpus.ask("?", method="bipartite", context="both").facts[0], FoundFact)
    assert_type(answer, Answer)
    assert_type(answer.citations[0], Citation)
    facts = corpus.facts("?", k=3, filters={"language": ["en", "de"]}, budget=budget, ranking="paper")
    assert_type(facts, FactEvidence)
    assert_type(facts[0], FoundFact)
    rollouts = corpus.rollouts([GoldQuestion("q1", "?", answers=("x",))], group=2, keep=True, budget=budget, turns=3)
    assert_type(rollouts, Rollouts)
    assert_type(corpus.train_policy([GoldQuestion("q1", "?", answers=("x",))], "model", "out"), TrainingReport)
    assert_type(rollouts[0].episode, Episode)
    stream = corpus.ask_stream("?", generate=False)
    assert_type(stream, AnswerStream)
    assert_type(next(stream), str)
    assert_type(stream.answer, Answer)
    corpus.search("?", 3)  # type: ignore[call-arg]  # k is given by name
    corpus.search("?", k="3")  # type: ignore[arg-type]  # k is a number
    corpus.search("?", filters={"year": {"above": 1990}})  # type: ignore[dict-item]  # bounds are gt, gte, lt and lte
    corpus.ask("?", iterations=None)  # type: ignore[arg-type]  # iterations is a number
    corpus.ask("?", context="graph")  # type: ignore[arg-type]  # passages, facts or both
    corpus.ask()  # type: ignore[call-arg]  # a question is needed
    Budget(seconds=60)  # type: ignore[call-arg]  # the limit is called deadline_s


def check_sessions(corpus: Corpus) -> None:
    run = corpus.anchor("?", k=3, generate=False, context_tokens=500, ttl=timedelta(days=1), retriever="gain")
    assert_type(run, AnchorRun)
    assert_type(next(run), AnchorStep)
    assert_type(run.answer, Answer)
    assert_type(run.stopped, Stopped)
    assert_type(run.session, Session)
    assert_type(corpus.sessions, Sessions)
    assert_type(corpus.sessions.newest(limit=5), list[SessionRecord])
    assert_type(corpus.sessions.prune(), int)
    session = corpus.session("905839bd")
    assert_type(session, Session)
    assert_type(corpus.sessions.get("905839bd"), Session)
    assert_type(session.record, SessionRecord)
    assert_type(session.steps, tuple[AnchorStep, ...])
    assert_type(session.graph, AnchorGraph)
    assert_type(session.resume(budget=Budget(deadline_s=60)), AnchorRun)
    assert_type(session.ask("And then?"), AnchorRun)
    assert_type(session.fork(1, query="?", retriever="dense", ttl=timedelta(days=1)), AnchorRun)
    assert_type(session.export("html"), str)
    corpus.anchor("?", ttl=1)  # type: ignore[arg-type]  # a time has a unit
    session.fork(1, wording="?")  # type: ignore[call-arg]  # no such option
    session.fork("1")  # type: ignore[arg-type]  # steps are numbered


def check_inspection(corpus: Corpus, evidence: Evidence) -> None:
    assert_type(corpus.counts(), dict[str, int])
    assert_type(corpus.explain(evidence, evidence[0]), Explanation)
    assert_type(corpus.explain(evidence, 1), Explanation)
    subgraph = corpus.subgraph(evidence, 1, evidence[1])
    assert_type(subgraph, Subgraph)
    assert_type(subgraph.cypher, str)
    assert_type(corpus.tree(with_chunks=True), TreeOverview)
    assert_type(corpus.theme("05199d7e", limit=3), ThemeReport)
    assert_type(corpus.affinity("one", "another"), Affinity | None)
    assert_type(corpus.export("all.graphml", form="graphml", overwrite=True), ExportReport)
    assert_type(corpus.export(Path("why.html"), subgraph, title="Why?"), ExportReport)
    corpus.explain(1, evidence)  # type: ignore[arg-type]  # the result comes first
    corpus.tree(True)  # type: ignore[call-arg]  # options are given by name
    corpus.export("all.graphml", format="graphml")  # type: ignore[call-arg]  # the option is called form


def check_entities(corpus: Corpus, progress: Progress) -> None:
    entities = corpus.entities
    assert_type(entities, Entities)
    assert_type(entities.get("Mina Holt"), EntityReport)
    assert_type(entities.facts("Mina Holt", limit=3), tuple[KnownFact, ...])
    assert_type(entities.between("Mina Holt", "Halvik", hops=3, limit=2), tuple[Way, ...])
    assert_type(entities.merged(limit=5), tuple[MergedName, ...])
    assert_type(entities.by_role("subject", limit=5), tuple[RolePlayer, ...])
    assert_type(entities.split("Mina Holt", "M. Holt", progress=progress), IngestReport)
    assert_type(entities.join("Mina Holt", "M. Holt"), IngestReport)
    entities.between("Mina Holt")  # type: ignore[call-arg]  # two entities are needed
    entities.split("Mina Holt", "M. Holt", progress)  # type: ignore[call-arg]  # options are given by name


def check_analytics(corpus: Corpus) -> None:
    analytics = corpus.analytics
    assert_type(analytics, Analytics)
    assert_type(analytics.list(), tuple[Statement, ...])
    table = analytics.run("find_coverage", limit=5)
    assert_type(table, Table)
    assert_type(table.to_csv(), str)
    assert_type(corpus.cypher("MATCH (c {corpus: $corpus}) RETURN c", {"a": 1}, limit=5, timeout_s=1), Table)
    corpus.cypher(7)  # type: ignore[arg-type]  # a statement is a text
    analytics.run(7)  # type: ignore[arg-type]  # statements have names


def check_evaluation(corpus: Corpus, other: Corpus, questions: Sequence[GoldQuestion]) -> None:
    report = corpus.evaluate(questions, ("dense", "gain"), ks=(5,), baseline="dense", out="runs", overwrite=True)
    assert_type(report, EvaluationReport)
    assert_type(corpus.evaluate("questions.jsonl", {"5": ("gain", {"seeds": 5})}, allow_missing=True), EvaluationReport)
    corpus.evaluate(questions, {"word": "gain:engine=memory", "five": ("gain", {"seeds": 5})})
    tuning = corpus.tune(questions, other, questions, method="gain", settings={"seeds": (3, 5)}, budget=4)
    assert_type(tuning, Tuning)
    corpus.evaluate(questions, ks=5)  # type: ignore[arg-type]  # several ranks
    corpus.tune(questions, "other", questions)  # type: ignore[arg-type]  # a corpus, not its name
    corpus.tune(questions, other)  # type: ignore[call-arg]  # questions to report on are needed


async def check_asynchronous_client(settings: Settings, progress: Progress) -> None:
    async with await AsyncTetragraph.connect(settings, progress=progress) as client:
        assert_type(client, AsyncTetragraph)
        assert_type(client.corpus("demo"), AsyncCorpus)
        assert_type(await client.corpora(), list[CorpusSummary])
        assert_type(await client.doctor(repair=True, corpus="demo"), HealthReport)
        assert_type(await client.copy_vectors("local"), list[VectorCopy])
        assert_type(await client.restore("demo.tetragraph"), BackupReport)
        assert_type(await client.verify_backup("demo.tetragraph"), BackupReport)
        assert_type(await client.check_upgrade(), UpgradeReport)
        assert_type(await client.claim_vectors("demo"), list[Kind])
        assert_type(client.policies, AsyncPolicies)
        assert_type(await client.policies.promote("mine@1"), PolicyVersion)
        await client.doctor(mend=True)  # type: ignore[call-arg]  # no such option
        client.corpora().sort()  # type: ignore[attr-defined]  # has to be awaited


async def check_asynchronous_documents(corpus: AsyncCorpus, documents: Sequence[Document]) -> None:
    assert_type(await corpus.ingest(documents, build=(), chunk_tokens=200), IngestReport)
    assert_type(await corpus.build("tree", if_drifted=True, names="llm"), IngestReport)
    assert_type(await corpus.estimate("gain", judge="llm"), Estimate)
    assert_type(await corpus.delete("a.md", "b.md"), IngestReport)
    assert_type(await corpus.find_gone("docs"), tuple[str, ...])
    assert_type(await corpus.sync("docs", confirmed=True), SyncReport)
    assert_type(await corpus.backup(Path("demo.tetragraph")), BackupReport)
    assert_type(await corpus.copy(Settings()), CopyReport)
    assert_type(await corpus.fingerprint(), str)
    assert_type(await corpus.reembed("minilm", keep_s=0), ReembedReport)
    assert_type(await corpus.cancel_reembed(), bool)
    assert_type(await corpus.documents(), tuple[DocumentRecord, ...])
    assert_type(await corpus.chunks(["a"]), dict[str, Chunk])
    assert_type(await corpus.preview("docs"), IngestPreview)
    assert_type(await corpus.document("docs/a.md"), StoredDocument)
    assert_type(await corpus.files(["docs/a.md"]), dict[str, str])
    await corpus.ingest()  # type: ignore[call-arg]  # a source is needed
    await corpus.ingest("docs", builds=("gain",))  # type: ignore[call-arg]  # the option is called build
    await corpus.build("gain", if_drifted=1)  # type: ignore[arg-type]  # true or false


async def check_asynchronous_questions(corpus: AsyncCorpus) -> None:
    assert_type(await corpus.search("?", k=3, method="gain", seeds=5), Evidence)
    assert_type(await corpus.ask("?", k=3, generate=True, iterations=2), Answer)
    assert_type(await corpus.facts("?", k=3), FactEvidence)
    assert_type(await corpus.rollouts([GoldQuestion("q1", "?", answers=("x",))]), Rollouts)
    assert_type(await corpus.train_policy([GoldQuestion("q1", "?", answers=("x",))], "model", "out"), TrainingReport)
    stream = corpus.ask_stream("?", k=3, generate=False)
    assert_type(stream, AsyncAnswerStream)
    assert_type(await anext(stream), str)
    assert_type(await stream.answer(), Answer)
    await corpus.search("?", 3)  # type: ignore[call-arg]  # k is given by name
    await corpus.search("?", k="3")  # type: ignore[arg-type]  # k is a number
    corpus.ask_stream("?", iterations=None)  # type: ignore[arg-type]  # iterations is a number
    len(corpus.search("?"))  # type: ignore[arg-type]  # has to be awaited


async def check_asynchronous_sessions(corpus: AsyncCorpus) -> None:
    run = await corpus.anchor("?", k=3, ttl=timedelta(days=1), retriever="gain")
    assert_type(run, AsyncAnchorRun)
    assert_type(await anext(run), AnchorStep)
    assert_type(await run.answer(), Answer)
    assert_type(await run.stopped(), Stopped)
    assert_type(run.session, AsyncSession)
    assert_type(corpus.sessions, AsyncSessions)
    assert_type(await corpus.sessions.newest(limit=5), list[SessionRecord])
    assert_type(await corpus.sessions.prune(), int)
    session = await corpus.session("905839bd")
    assert_type(session, AsyncSession)
    assert_type(await corpus.sessions.get("905839bd"), AsyncSession)
    assert_type(await session.record(), SessionRecord)
    assert_type(await session.steps(), tuple[AnchorStep, ...])
    assert_type(await session.graph(), AnchorGraph)
    assert_type(await session.resume(budget=Budget(deadline_s=60)), AsyncAnchorRun)
    assert_type(await session.ask("And then?"), AsyncAnchorRun)
    assert_type(await session.fork(1, query="?"), AsyncAnchorRun)
    assert_type(await session.export("html"), str)
    await corpus.anchor("?", ttl=1)  # type: ignore[arg-type]  # a time has a unit
    await session.fork(1, wording="?")  # type: ignore[call-arg]  # no such option


async def check_asynchronous_inspection(corpus: AsyncCorpus, evidence: Evidence) -> None:
    assert_type(await corpus.counts(), dict[str, int])
    assert_type(await corpus.cypher("MATCH (c {corpus: $corpus}) RETURN c"), Table)
    assert_type(await corpus.explain(evidence, 1), Explanation)
    assert_type(await corpus.subgraph(evidence, 1, evidence[1]), Subgraph)
    assert_type(await corpus.tree(with_chunks=True), TreeOverview)
    assert_type(await corpus.theme("05199d7e", limit=3), ThemeReport)
    assert_type(await corpus.affinity("one", "another"), Affinity | None)
    assert_type(await corpus.export("all.graphml", form="graphml"), ExportReport)
    assert_type(await corpus.analytics.run("find_coverage", limit=5), Table)
    assert_type(corpus.analytics, AsyncAnalytics)
    assert_type(corpus.analytics.list(), tuple[Statement, ...])
    await corpus.tree(True)  # type: ignore[call-arg]  # options are given by name
    await corpus.export("all.graphml", format="graphml")  # type: ignore[call-arg]  # the option is called form


async def check_asynchronous_entities(corpus: AsyncCorpus) -> None:
    entities = corpus.entities
    assert_type(entities, AsyncEntities)
    assert_type(await entities.get("Mina Holt"), EntityReport)
    assert_type(await entities.facts("Mina Holt", limit=3), tuple[KnownFact, ...])
    assert_type(await entities.between("Mina Holt", "Halvik", hops=3), tuple[Way, ...])
    assert_type(await entities.merged(limit=5), tuple[MergedName, ...])
    assert_type(await entities.by_role("subject", limit=5), tuple[RolePlayer, ...])
    assert_type(await entities.split("Mina Holt", "M. Holt"), IngestReport)
    assert_type(await entities.join("Mina Holt", "M. Holt"), IngestReport)
    await entities.between("Mina Holt")  # type: ignore[call-arg]  # two entities are needed


async def check_asynchronous_evaluation(
    corpus: AsyncCorpus, other: AsyncCorpus, synchronous: Corpus, questions: Sequence[GoldQuestion]
) -> None:
    assert_type(await corpus.evaluate(questions, ("dense", "gain"), ks=(5,)), EvaluationReport)
    assert_type(await corpus.tune(questions, other, questions, method="gain", budget=4), Tuning)
    await corpus.tune(questions, synchronous, questions)  # type: ignore[arg-type]  # of the same client
    await corpus.evaluate(questions, ks=5)  # type: ignore[arg-type]  # several ranks
