"""A corpus of a service, with the methods of a local one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar, cast

from tetragraph.answering.compose import CONTEXT_TOKENS, Context
from tetragraph.answering.sessions import AnchorRun, Session, Sessions
from tetragraph.answering.stream import AnswerStream
from tetragraph.archive.report import BackupReport, CopyReport
from tetragraph.client.analytics import Analytics
from tetragraph.client.corpus import Corpus
from tetragraph.client.entities import Entities
from tetragraph.client.remote import requests
from tetragraph.client.remote.batches import batches, joined, rank_of
from tetragraph.client.remote.bodies import ask_form
from tetragraph.client.remote.inspection import RemoteAnalytics, RemoteEntities, save_graph
from tetragraph.client.remote.jobs import JobForm
from tetragraph.client.remote.replies import read_reply, read_result
from tetragraph.client.remote.requests import BudgetForm
from tetragraph.client.remote.sessions import RemoteSessions, pieces, seconds_of, start_run
from tetragraph.client.remote.tetragraph import NoConnection, not_served
from tetragraph.client.remote.transport import Transport, form, segment
from tetragraph.client.remote.unserved import UnservedMethods
from tetragraph.client.remote.values import (
    CorpusForm,
    ExplanationForm,
    Form,
    ServiceForm,
    SubgraphForm,
    encode,
)
from tetragraph.client.remote.waiting import wait_for
from tetragraph.connection import Connection
from tetragraph.errors import UnknownTheme
from tetragraph.evaluate.manifest import check_folder, write_record
from tetragraph.evaluate.model import BUDGET, OBJECTIVE, EvaluationReport, GoldQuestion, Run
from tetragraph.evaluate.questions import given_questions
from tetragraph.evaluate.run_methods import Methods, find_baseline, find_methods, find_names
from tetragraph.evaluate.tune import Tuning
from tetragraph.executors import ExecutorName
from tetragraph.export import ExportReport
from tetragraph.indexing.report import IngestReport
from tetragraph.indexing.sources import Source, read_documents
from tetragraph.indexing.succession import hold_successors
from tetragraph.model import Chunk, Evidence, FactEvidence, Filters, Hit, Unreadable
from tetragraph.model.answers import MIN_CONFIDENCE, Answer
from tetragraph.model.explanations import Explanation
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph.model.stored_documents import DocumentRecord, StoredDocument
from tetragraph.model.subgraphs import Subgraph
from tetragraph.model.usage import UNLIMITED, Budget, Estimate
from tetragraph.progress import Progress
from tetragraph.retrieval.explanation import evidence_of
from tetragraph.rl.rollouts import GROUP, Rollouts
from tetragraph.rl.train_options import TrainOptions
from tetragraph.rl.training import TrainingReport
from tetragraph.settings import Settings
from tetragraph.systems.encoding_tree.overview import TreeOverview
from tetragraph.systems.encoding_tree.themes import Affinity, ThemeReport
from tetragraph.systems.registry import check_build_targets
from tetragraph.validation import check_list, check_text

Value = TypeVar("Value")


class RemoteCorpus(UnservedMethods, Corpus):
    """A corpus of a service; obtained from ``Tetragraph.corpus``. Thread-safe.

    See :class:`~tetragraph.Corpus` for arguments and results of the methods.
    """

    def __init__(self, transport: Transport, name: str) -> None:
        super().__init__(cast("Connection", NoConnection()), name)
        self._transport = transport
        self._path = f"/v1/corpora/{name}"

    def ingest(
        self,
        source: Source,
        *,
        build: Sequence[str] = ("gain",),
        embedder: str | None = None,
        chunk_tokens: int | None = None,
        sentences: str | None = None,
        arrays: bool | None = None,
        loader: str | None = None,
        prefix: str | None = None,
        moved: bool = False,
        prune: bool = False,
        reading: ReadingOptions = DEFAULT_READING,
        gazetteer: str | Path | None = None,
        executor: ExecutorName | None = None,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Read documents here, send them, and wait until the service has ingested them.

        A document of a file is skipped if the corpus has its id from another ``source``; folders of the same name on
        two machines have the same sources. So is a document that is larger than the largest request of the service.
        """
        if moved or prune:
            not_served("ingest with moved or prune")
        if gazetteer is not None:
            not_served("ingest with a gazetteer")
        if executor is not None:
            not_served("ingest with an executor")
        check_build_targets(build)
        unreadable: list[Unreadable] = []
        report: IngestReport | None = None
        common = {
            "build": tuple(build),
            "embedder": embedder,
            "chunk_tokens": chunk_tokens,
            "sentences": sentences,
            "arrays": arrays,
            "budget": BudgetForm.of(budget),
        }
        empty = form(requests.IngestRequest, documents=(), **common)
        most = self._transport.get(ServiceForm, "/v1").body_bytes - len(encode(empty))
        documents = hold_successors(read_documents(source, loader, prefix, reading), None, checks=False)
        for batch in batches(documents, unreadable, most):
            body = form(requests.IngestRequest, documents=batch, **common)
            report = joined(report, self._run("documents", body, IngestReport, progress))
        assert report is not None  # noqa: S101  # there is one batch at least
        return replace(report, skipped=(*report.skipped, *unreadable))

    def build(
        self,
        /,
        what: str,
        *,
        if_drifted: bool = False,
        executor: ExecutorName | None = None,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
        **options: Any,
    ) -> IngestReport:
        """Compute a graph on all chunks; returns when the job of the service has ended."""
        if executor is not None:
            not_served("build with an executor")
        body = form(
            requests.BuildRequest, what=what, if_drifted=if_drifted, options=options, budget=BudgetForm.of(budget)
        )
        return self._run("builds", body, IngestReport, progress)

    def estimate(self, /, what: str, **options: Any) -> Estimate:
        """Estimate the language model usage of :meth:`build`."""
        return self._post(Estimate, "estimates", form(requests.EstimateRequest, what=what, options=options))

    def delete(self, *document_ids: str, progress: Progress | None = None) -> IngestReport:
        """Delete documents; returns when the job of the service has ended."""
        for one in document_ids:
            check_text("a document", one, "named by its id, each id an argument of its own")
        if not document_ids:
            self.counts()  # raises if there is no corpus, which an ingest would make
            return self.ingest((), build=(), progress=progress)
        body = form(requests.DeletionRequest, documents=document_ids)
        return self._run("deletions", body, IngestReport, progress)

    def drop(self) -> None:
        """Delete the corpus; returns when the job of the service has ended."""
        sent = self._transport.send("DELETE", self._path, headers=_idempotent())
        wait_for(self._transport, read_reply(JobForm, sent.content), None)

    def counts(self) -> dict[str, int]:
        """Number of nodes and relationships of the corpus, by kind."""
        return dict(self._get(CorpusForm, "").counts)

    def documents(self, *, after: str = "", limit: int = 100) -> tuple[DocumentRecord, ...]:
        """Documents of the corpus in order of id, a page of at most 1,000 at a time."""
        return self._get(tuple[DocumentRecord, ...], "/documents", after=after, limit=limit)

    def document(self, document: str, *, first: int = 0, limit: int = 1_000) -> StoredDocument:
        """One document as it is stored: its properties, and its text in chunks."""
        return self._get(StoredDocument, "/document", id=document, first=first, limit=limit)

    def chunks(self, chunks: Sequence[str]) -> dict[str, Chunk]:
        """Chunks by id; unknown ids are left out."""
        check_list("chunks", chunks, str, "ids of chunks, such as [hit.chunk.id]")
        body = form(requests.ChunksRequest, chunks=tuple(chunks))
        return self._post(dict[str, Chunk], "chunks", body)

    def search(
        self,
        /,
        question: str,
        *,
        k: int = 10,
        method: str = "evidence",
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        **options: Any,
    ) -> Evidence:
        """Find the chunks that best support an answer."""
        body = form(
            requests.SearchRequest,
            question=question,
            k=k,
            method=method,
            filters=filters,
            options=options,
            budget=BudgetForm.of(budget),
        )
        return self._post(Evidence, "search", body)

    def ask(
        self,
        /,
        question: str,
        *,
        k: int = 5,
        method: str = "evidence",
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        generate: bool | None = None,
        iterations: int = 1,
        context_tokens: int = CONTEXT_TOKENS,
        context: Context = "passages",
        min_confidence: float = MIN_CONFIDENCE,
        **options: Any,
    ) -> Answer:
        """Answer a question with checked citations."""
        given: dict[str, Any] = {"iterations": iterations, "context_tokens": context_tokens, "context": context}
        given |= {"generate": generate, "min_confidence": min_confidence}
        body = ask_form(question, k, method, filters, budget, given, options)
        # not repeated after a lost connection: the first request may still go on, with a paid model and a session
        answer: Answer = self._transport.post(Answer, f"{self._path}/ask", body, is_safe=False)
        return answer

    def ask_stream(
        self,
        /,
        question: str,
        *,
        k: int = 5,
        method: str = "evidence",
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        generate: bool | None = None,
        iterations: int = 1,
        context_tokens: int = CONTEXT_TOKENS,
        context: Context = "passages",
        min_confidence: float = MIN_CONFIDENCE,
        **options: Any,
    ) -> AnswerStream:
        """Answer a question in pieces."""
        given: dict[str, Any] = {"iterations": iterations, "context_tokens": context_tokens, "context": context}
        given |= {"generate": generate, "min_confidence": min_confidence}
        body = ask_form(question, k, method, filters, budget, given, options)
        return AnswerStream(pieces(self._transport.stream("POST", f"{self._path}/ask", body=body)))

    def anchor(
        self,
        /,
        question: str,
        *,
        k: int = 5,
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        generate: bool | None = None,
        context_tokens: int = CONTEXT_TOKENS,
        min_confidence: float = MIN_CONFIDENCE,
        ttl: timedelta | None = None,
        **options: Any,
    ) -> AnchorRun:
        """Search in several steps, stored as a session, and answer."""
        body = form(
            requests.AnchorRequest,
            question=question,
            k=k,
            filters=filters,
            budget=BudgetForm.of(budget),
            generate=generate,
            context_tokens=context_tokens,
            min_confidence=min_confidence,
            ttl_s=seconds_of(ttl),
            options=options,
        )
        return start_run(self._transport, self.name, f"{self._path}/sessions", body)

    def session(self, session: str) -> Session:
        """Find a session by its id."""
        return self.sessions.get(session)

    @property
    def sessions(self) -> Sessions:
        """Sessions of the corpus."""
        return RemoteSessions(self._transport, self.name)

    def facts(
        self,
        /,
        question: str,
        *,
        k: int = 10,
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        **options: Any,
    ) -> FactEvidence:
        """Find the facts that best answer a question."""
        body = form(
            requests.FactsRequest,
            question=question,
            k=k,
            filters=filters,
            options=options,
            budget=BudgetForm.of(budget),
        )
        return self._post(FactEvidence, "facts", body)

    def rollouts(
        self,
        /,
        questions: Sequence[GoldQuestion],
        *,
        group: int = GROUP,
        keep: bool = False,
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
        **options: Any,
    ) -> Rollouts:
        """Not served."""
        not_served("rollouts", questions, group, keep, filters, budget, progress, options)

    def train_policy(
        self,
        /,
        questions: Sequence[GoldQuestion],
        model: str | Path,
        out: str | Path,
        *,
        training: TrainOptions | None = None,
        resume: bool = False,
        filters: Filters | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> TrainingReport:
        """Not served: a model is trained on the machine of a local client."""
        not_served("train_policy", questions, model, out, training, resume, filters, progress, options)

    @property
    def entities(self) -> Entities:
        """Entities of the bipartite graph."""
        return RemoteEntities(self._transport, self.name, self._run)

    @property
    def analytics(self) -> Analytics:
        """Statements for analysts."""
        return RemoteAnalytics(self._transport, self.name)

    def tree(self, *, with_chunks: bool = False) -> TreeOverview:
        """Themes of the corpus."""
        return self._get(TreeOverview, "/themes", with_chunks=with_chunks)

    def theme(self, theme: str, *, limit: int = 10) -> ThemeReport:
        """One theme."""
        begins = "a theme must be named by its id, or by a beginning that no other has"
        path = f"/themes/{segment(theme, UnknownTheme(f'{begins}, got {theme!r}'))}"
        return self._get(ThemeReport, path, limit=limit)

    def affinity(self, first: str, second: str) -> Affinity | None:
        """The components of the edge between two chunks; None without an edge."""
        found: Affinity | None = self._get(cast("Any", Affinity | None), "/affinity", first=first, second=second)
        return found

    def explain(self, result: Evidence | Answer, hit: Hit | int) -> Explanation:
        """Explain the score of a hit."""
        evidence = evidence_of(result)
        body = requests.ExplainRequest.model_construct(evidence=evidence, rank=rank_of(evidence, hit))
        return self._post(ExplanationForm, "explain", body).explanation()

    def subgraph(self, result: Evidence | Answer, *hits: Hit | int) -> Subgraph:
        """The part of the graph that led to the hits of a result."""
        evidence = evidence_of(result)
        ranks = tuple(rank_of(evidence, hit) for hit in hits)
        body = requests.SubgraphRequest.model_construct(evidence=evidence, ranks=ranks)
        return self._post(SubgraphForm, "subgraph", body).subgraph()

    def export(
        self,
        path: str | Path,
        part: Evidence | Answer | Subgraph | None = None,
        *,
        form: str | None = None,
        title: str = "",
        overwrite: bool = False,
    ) -> ExportReport:
        """Write the graph, or a part of it, to a file here; the whole graph as ``graphml`` or ``jsonl`` only."""
        if part is None:
            return save_graph(self._transport, self._path, Path(path), form, overwrite=overwrite)
        return super().export(path, part, form=form, title=title, overwrite=overwrite)

    def evaluate(
        self,
        questions: str | Path | Sequence[GoldQuestion],
        methods: Methods = ("dense", "keyword", "fused", "evidence"),
        *,
        ks: Sequence[int] = (2, 5, 10),
        runs: Sequence[Run] = (),
        baseline: str | None = None,
        allow_missing: bool = False,
        judge_answers: bool = False,
        out: str | Path | None = None,
        overwrite: bool = False,
        progress: Progress | None = None,
    ) -> EvaluationReport:
        """Evaluate search methods on questions with gold evidence, and wait for the report."""
        if runs:
            not_served("evaluate with runs of other systems")
        if out is not None:
            check_folder(Path(out), find_names(methods, runs), overwrite=overwrite)
        gold = given_questions(questions)
        chosen = {
            one.name: requests.MethodForm(method=one.method, options=one.run_options) for one in find_methods(methods)
        }
        body = form(
            requests.EvaluationRequest,
            questions=tuple(gold),
            methods=chosen,
            ks=tuple(ks),
            baseline=find_baseline(baseline, methods),
            allow_missing=allow_missing,
            judge_answers=judge_answers,
        )
        report = self._run("evaluations", body, EvaluationReport, progress)
        if out is not None:
            write_record(report, Path(out), overwrite=overwrite)
        return report

    def tune(
        self,
        questions: str | Path | Sequence[GoldQuestion],
        report_on: Corpus,
        report_questions: str | Path | Sequence[GoldQuestion],
        *,
        method: str = "evidence",
        settings: Mapping[str, Sequence[Any]] | None = None,
        objective: Sequence[str] = OBJECTIVE,
        budget: int = BUDGET,
        progress: Progress | None = None,
    ) -> Tuning:
        """Not served."""
        not_served("tune", questions, report_on, report_questions, method, settings, objective, budget, progress)

    def backup(
        self,
        path: str | Path,
        *,
        vectors: bool = True,
        overwrite: bool = False,
        since: str | Path | None = None,
        progress: Progress | None = None,
    ) -> BackupReport:
        """Not served: run ``tetragraph backup`` beside the stores."""
        not_served("backup", path, vectors, overwrite, since, progress)

    def copy(self, to: Settings, *, name: str | None = None, progress: Progress | None = None) -> CopyReport:
        """Not served: run ``tetragraph copy`` beside the stores."""
        not_served("copy", to, name, progress)

    def fingerprint(self) -> str:
        """Not served."""
        not_served("fingerprint")

    def _get(self, kind: type[Value], path: str, **parameters: Any) -> Value:
        found: Value = self._transport.get(kind, f"{self._path}{path}", **parameters)
        return found

    def _post(self, kind: type[Value], path: str, body: Form) -> Value:
        found: Value = self._transport.post(kind, f"{self._path}/{path}", body)
        return found

    def _run(self, path: str, body: Form, kind: type[Value], progress: Progress | None) -> Value:
        """Start a job, wait for it, and return its result."""
        job = self._transport.post(JobForm, f"{self._path}/{path}", body, headers=_idempotent())
        result: Value = read_result(kind, wait_for(self._transport, job, progress))
        return result


def _idempotent() -> dict[str, str]:
    """The header by which a repeated request starts no second job."""
    return {"Idempotency-Key": secrets.token_hex(16)}
