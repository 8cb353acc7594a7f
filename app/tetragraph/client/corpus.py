"""One corpus as users see it: bring documents in, build graphs, search, ask, evaluate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from tetragraph.answering import ask, sessions
from tetragraph.answering.ask import AnswerStream
from tetragraph.answering.compose import CONTEXT_TOKENS, AskOptions
from tetragraph.answering.sessions import (
    AnchorRequest,
    AnchorRun,
    Session,
    Sessions,
)
from tetragraph.client.inspection import CorpusInspection
from tetragraph.errors import InvalidInput
from tetragraph.evaluate import evaluated_corpus
from tetragraph.evaluate.evaluation import EvaluationRequest, evaluate
from tetragraph.evaluate.manifest import write_record
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion, Run
from tetragraph.evaluate.questions import read_questions
from tetragraph.evaluate.run_methods import EvaluatedCorpus, Methods
from tetragraph.evaluate.tune import BUDGET, OBJECTIVE, Tuning, check_apart, grids_of, measure_on, tune
from tetragraph.indexing import operations
from tetragraph.indexing.operations import IngestReport
from tetragraph.indexing.sources import Source
from tetragraph.model import Evidence, FactEvidence, Filters
from tetragraph.model.answers import Answer
from tetragraph.model.usage import UNLIMITED, Budget, Estimate
from tetragraph.progress import NoProgress, Progress
from tetragraph.retrieval import search
from tetragraph.retrieval.request import Request, check_grids, make_options
from tetragraph.systems.registry import ANCHOR, FACTS, find_retriever


class Corpus(CorpusInspection):
    """One corpus: bring documents in, ask questions, look inside. Made by :meth:`Tetragraph.corpus`; thread-safe."""

    def ingest(
        self,
        source: Source,
        *,
        build: Sequence[str] = ("gain",),
        embedder: str | None = None,
        chunk_tokens: int | None = None,
        sentences: str | None = None,
        loader: str | None = None,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Bring documents in, and build what searches need.

        Running it again with the same input writes nothing; changed documents are replaced. A run that was killed is
        finished by the next one. Sources that cannot be read are skipped and listed in the report.

        Args:
            source: A folder, a file, a glob pattern, or documents.
            build: ``"gain"`` for the information-gain graph, ``"tree"`` for the encoding tree, ``"bipartite"`` for the
                facts (spaCy), ``"types"`` for the entities' types (spaCy); ``()`` for none. What was built once is kept
                up to date by every ingest.
            embedder: For a new corpus; default: the setting ``embedder``.
            chunk_tokens: For a new corpus: the longest chunk, in tokens; default: what the embedder takes in.
            sentences: For a new corpus: whether single sentences get vectors, which the evidence walk compares with
                questions, too. ``"separate"`` embeds each by itself, which costs about as much again as the passages;
                ``"pooled"`` takes them from the pass of their passage, which costs nothing and finds a little less;
                ``"none"`` makes none. Default: ``"separate"`` for ``bge-small`` and ``minilm``, else ``"none"``.
            loader: Name of the loader that reads every file, for formats that their suffix does not tell: ``musique``,
                ``hotpotqa``, ``2wikimultihopqa`` for the passages of a benchmark's release.
            budget: What a language model may cost, where a graph of the corpus was built with one; without one as the
                settings have it.
            progress: Told of every stage; silent when left out.

        Raises:
            InvalidInput: the source does not exist, or an argument breaks its rule; nothing was written.
            EmbedderMismatch: the corpus was embedded with another model.
            CorpusBusy: another process is changing this corpus.
            LlmNotConfigured: a graph was built with a language model, and none is set; nothing was written.
            BudgetExhausted, DeadlineExceeded, LlmUnavailable: the graph stays as it was, every reply is kept, and the
                same ingest goes on from there.
        """
        return operations.ingest(
            self._connection,
            self.name,
            source,
            build,
            embedder,
            chunk_tokens,
            progress or NoProgress(),
            sentences=sentences,
            loader=loader,
            budget=budget,
        )

    def build(
        self,
        what: str,
        *,
        if_drifted: bool = False,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
        **options: Any,
    ) -> IngestReport:
        """Compute a graph anew on all chunks, or type the entities that have no type; writes the difference.

        Args:
            what: ``"bipartite"``, ``"gain"``, ``"tree"`` or ``"types"``.
            if_drifted: Make the tree anew only if updates have left its entropy higher than
                ``TETRAGRAPH_TREE_DRIFT`` allows.
            budget: What a language model may cost, where an option asks one; without one as the settings have it.
            progress: Told of every stage; silent when left out.
            options: Settings of the graph: the fields of ``gain_graph.BuildOptions``, ``encoding_tree.BuildOptions``
                or ``bipartite_graph.BuildOptions``. Those that are left out are at their defaults; without any, all
                are as they were. Later builds and updates keep to them.

        Raises:
            InvalidInput: ``what`` is none of these, or an option breaks its rule; nothing was written.
            LlmNotConfigured: an option asks a language model, and none is set; nothing was written.
            BudgetExhausted, DeadlineExceeded, LlmUnavailable: the graph stays as it was, every reply is kept, and the
                same build goes on from there.
            UnknownCorpus, CorpusBusy: see :meth:`ingest`.
        """
        return operations.rebuild(
            self._connection, self.name, what, options, progress or NoProgress(), if_drifted=if_drifted, budget=budget
        )

    def estimate(self, what: str, **options: Any) -> Estimate:
        """What :meth:`build` would cost with the same arguments, from the very requests that it would send.

        Nothing is asked and nothing written. Calls whose replies are kept cost nothing; replies that have to be mended
        or asked for again are not foreseen.

        Args:
            what: As for :meth:`build`.
            options: Likewise.

        Raises:
            LlmNotConfigured: an option asks a language model, and none is set.
            InvalidInput, UnknownCorpus: see :meth:`build`.
        """
        return operations.estimate(self._connection, self.name, what, options)

    def delete(self, *document_ids: str, progress: Progress | None = None) -> IngestReport:
        """Take documents away with all that only they support: chunks, vectors, entities, edges.

        Raises:
            UnknownDocument: the corpus has no document of that id; nothing was deleted.
            UnknownCorpus, CorpusBusy: see :meth:`ingest`.
        """
        return operations.delete(self._connection, self.name, document_ids, progress or NoProgress())

    def drop(self) -> None:
        """Remove the corpus with everything in it.

        Raises:
            UnknownCorpus, CorpusBusy: see :meth:`ingest`.
        """
        operations.drop(self._connection, self.name)

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        method: str = "evidence",
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        **options: Any,
    ) -> Evidence:
        """The ``k`` passages that carry the answer, best first; fewer only when the corpus has fewer.

        Args:
            question: In words; 10,000 characters at the most.
            k: How many passages, at least 1.
            method: ``evidence``, ``gain``, ``tree``, ``bipartite``, ``anchor``, ``dense``, ``keyword`` or ``fused``.
                A search by ``anchor`` keeps no session; :meth:`anchor` does.
            filters: Metadata key to a value, a list of values, or bounds (``{"year": {"gte": 1990}}``); a document
                that does not pass takes no part in the search at all.
            budget: What a language model may cost, where an option asks one; without one as the settings have it.
            options: Settings of the method: the fields of ``EvidenceOptions``, ``GainOptions``, ``TreeOptions``,
                ``BipartiteOptions``, ``AnchorOptions``, ``FusedOptions``.

        Raises:
            InvalidInput: an empty question, ``k`` below 1, an unknown option or a value out of range.
            UnknownMethod, UnknownFilter, UnknownCorpus: the message lists what there is.
            NotBuilt: the corpus lacks what the method needs.
            StoreUnavailable: a store went away; the client works again when it is back.
        """
        return self._search(question, k, method, options, filters, budget)[0]

    def ask(
        self,
        question: str,
        *,
        k: int = 5,
        method: str = "evidence",
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        generate: bool | None = None,
        iterations: int = 1,
        context_tokens: int = CONTEXT_TOKENS,
        **options: Any,
    ) -> Answer:
        """Answer a question from the ``k`` passages that carry the answer, with checked citations.

        Args:
            question: In words; 10,000 characters at the most.
            k: How many passages, of each search.
            method: As for :meth:`search`; with ``anchor`` the answer is that of :meth:`anchor`, and ``answer.session``
                names the session.
            filters: Likewise.
            budget: What a language model may cost, for searches and answer together. Where it ends while follow-up
                questions are asked, the answer is what was known by then, and a note says so.
            generate: Whether a language model words the answer; by default where one is set. Without one the answer
                is a stretch of a passage: ``answer.kind`` tells.
            iterations: How many searches at the most: the question's own, and one for each follow-up question that
                the model asks where the evidence does not suffice.
            context_tokens: How much of the evidence the model is shown, by estimate.
            options: As for :meth:`search`.

        Raises:
            LlmNotConfigured: ``generate`` is true, and no model is set.
            BudgetExhausted, DeadlineExceeded: before the first answer. Nothing else takes a model's place.
            LlmUnavailable, LlmRefused, UnusableReply: the model gives no answer.
            InvalidInput, UnknownMethod, UnknownFilter, UnknownCorpus, NotBuilt, StoreUnavailable: see :meth:`search`.
        """
        if find_retriever(method).is_multi_step:
            asked = AskOptions(generate, iterations, context_tokens)
            return self._anchored(question, k, filters, options, asked, budget).answer
        request = Request(self.name, question, k, method, filters, options, budget)
        return ask.ask(self._connection, request, AskOptions(generate, iterations, context_tokens))

    def ask_stream(
        self,
        question: str,
        *,
        k: int = 5,
        method: str = "evidence",
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        generate: bool | None = None,
        iterations: int = 1,
        context_tokens: int = CONTEXT_TOKENS,
        **options: Any,
    ) -> AnswerStream:
        """The same in pieces: iterate over the text while it is made, then read ``.answer``; both may raise.

        Steps of a search by ``anchor`` are no text: its answer is one piece.
        """
        if find_retriever(method).is_multi_step:
            asked = AskOptions(generate, iterations, context_tokens)
            return ask.single_piece_stream(lambda: self._anchored(question, k, filters, options, asked, budget).answer)
        request = Request(self.name, question, k, method, filters, options, budget)
        return ask.ask_stream(self._connection, request, AskOptions(generate, iterations, context_tokens))

    def anchor(
        self,
        question: str,
        *,
        k: int = 5,
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        generate: bool | None = None,
        context_tokens: int = CONTEXT_TOKENS,
        ttl: timedelta | None = None,
        **options: Any,
    ) -> AnchorRun:
        """Search in several steps that grow a graph of what is known, and answer; kept as a session in Neo4j.

        Iterate over the steps as they are made, then read ``.answer``; ``.session`` can be watched meanwhile. Each step
        is written before it is given, so that a run that was killed can be resumed.

        Args:
            question: In words; 10,000 characters at the most.
            k: How many passages the answer is looked for in where no model words it; each step retrieves 20 or more.
            filters: As for :meth:`search`, in every step.
            budget: What a model may cost, and how long it may take. The answer is what is known when it ends.
            generate: As for :meth:`ask`.
            context_tokens: Likewise.
            ttl: After what time the session may be pruned; the setting ``session_days`` when left out.
            options: The fields of ``AnchorOptions``: ``retriever``, ``steps``, ``updates``, ``reasoner`` …

        Raises:
            InvalidInput: an argument breaks its rule; nothing was written.
            LlmNotConfigured: a model is to reason or to answer, and none is set; nothing was written.
            UnknownMethod, NotBuilt: the retriever's; likewise.
            UnknownFilter, UnknownCorpus: see :meth:`search`; likewise.
            LlmUnavailable, LlmRefused: on the way; the session keeps its steps and can be resumed.
            SessionTaken: somebody else resumed the session meanwhile; nothing more was written.
        """
        return self._anchored(question, k, filters, options, AskOptions(generate, 1, context_tokens), budget, ttl)

    def session(self, session: str) -> Session:
        """A session of the corpus.

        Args:
            session: Its id, or how that begins.

        Raises:
            UnknownSession: no session has that id, or several begin like that.
        """
        return self.sessions.get(session)

    @property
    def sessions(self) -> Sessions:
        """The sessions that the corpus keeps: the newest ones, and the end of those whose time is over."""
        return Sessions(self._connection, self.name)

    def facts(
        self,
        question: str,
        *,
        k: int = 10,
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        **options: Any,
    ) -> FactEvidence:
        """The ``k`` facts that answer a question, best first, each with the way to it and where it is stated.

        Args:
            question: In words; 10,000 characters at the most.
            k: How many facts, at least 1.
            filters: As for :meth:`search`; facts that only other documents state take no part.
            budget: As for :meth:`search`.
            options: The fields of ``BipartiteOptions``.

        Raises:
            NotBuilt: the corpus has no bipartite graph; the message names the command that makes it.
            InvalidInput, UnknownFilter, UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        request = Request(self.name, question, k, FACTS.name, filters, options, budget)
        return search.find_facts(self._connection, request)

    def evaluate(
        self,
        questions: str | Path | Sequence[GoldQuestion],
        methods: Methods = ("dense", "keyword", "fused", "evidence"),
        *,
        ks: Sequence[int] = (2, 5, 10),
        runs: Sequence[Run] = (),
        baseline: str | None = None,
        allow_missing: bool = False,
        out: str | Path | None = None,
        progress: Progress | None = None,
    ) -> EvaluationReport:
        """Search questions whose evidence is known with several methods, and compare what they find.

        Args:
            questions: A file that :func:`tetragraph.evaluate.questions.read_questions` reads, or the questions.
            methods: Names of search methods, each with its defaults; or a name of your own to method and options. The
                option ``answer`` of a run, ``generated`` or ``extractive``, has every question answered, too.
            ks: Where rankings are cut; searches are as deep as the largest.
            runs: Rankings of other systems on the same documents, from :func:`tetragraph.evaluate.trec.read_run`.
            baseline: The run that all others are compared with; default: the first.
            allow_missing: Accept gold that the corpus lacks, as never found.
            out: A folder for the manifest, the questions and the rankings, from which the evaluation can be repeated;
                :func:`tetragraph.evaluate.report.write` writes the report beside them.
            progress: Told of every method; silent when left out.

        Raises:
            InvalidInput: a file or an argument breaks its rule.
            UnknownDocument: gold is not in the corpus; the message lists it.
            UnknownMethod, UnknownCorpus, NotBuilt, StoreUnavailable: as :meth:`search`, before anything is evaluated.
            CorpusBusy: the corpus changed meanwhile.
        """
        given = read_questions(questions) if isinstance(questions, str | Path) else questions
        asked = EvaluationRequest(methods, ks, runs, baseline, allow_missing)
        report = evaluate(self._subject(), given, asked, progress or NoProgress())
        if out is not None:
            write_record(report, Path(out))
        return report

    def tune(
        self,
        questions: Sequence[GoldQuestion],
        report_on: Corpus,
        report_questions: Sequence[GoldQuestion],
        *,
        method: str = "evidence",
        settings: Mapping[str, Sequence[Any]] | None = None,
        objective: Sequence[str] = OBJECTIVE,
        budget: int = BUDGET,
        progress: Progress | None = None,
    ) -> Tuning:
        """Choose settings of a method on questions of this corpus, and tell on others what the choice is worth.

        Args:
            questions: To choose on.
            report_on: The corpus of the other questions; may be this one.
            report_questions: To report on; none of them is among ``questions``, by id or by text.
            method: Whose settings.
            settings: Setting to the values that are tried, in this order; default: those of
                :data:`tetragraph.evaluate.tune.GRIDS`.
            objective: The metrics whose mean is made as large as possible.
            budget: How many choices of settings are tried at the most, the defaults among them.
            progress: Told of every choice; silent when left out.

        Raises:
            InvalidInput: a question is in both sets, a setting or a value is none of the method's, or an argument
                breaks its rule; nothing was searched.
            UnknownDocument: gold is not in its corpus; the message lists it.
            UnknownMethod, UnknownCorpus, NotBuilt, StoreUnavailable: as :meth:`search`.
        """
        check_apart(questions, report_questions)
        grids = grids_of(method, settings or {})
        return tune(
            method,
            check_grids(method, grids),
            grids,
            train=measure_on(self._subject(), questions, method, objective),
            report=measure_on(report_on._subject(), report_questions, method, objective),
            objective=objective,
            budget=budget,
            progress=progress or NoProgress(),
        )

    def _anchored(
        self,
        question: str,
        k: int,
        filters: Filters | None,
        options: Mapping[str, Any],
        asked: AskOptions,
        budget: Budget,
        ttl: timedelta | None = None,
    ) -> AnchorRun:
        if asked.iterations > 1:
            raise InvalidInput(f"iterations must be 1 with method 'anchor', whose steps ask on, got {asked.iterations}")
        chosen = make_options(ANCHOR, options)
        request = AnchorRequest(self.name, question, k, filters, chosen, asked, budget)
        return sessions.begin(self._connection, request, ttl)

    def _subject(self) -> EvaluatedCorpus:
        return evaluated_corpus.evaluated_corpus(self._connection, self.name, self._search, self._answer)

    def _answer(self, question: str, method: str, options: Mapping[str, Any], is_generated: bool) -> Answer:
        return self.ask(question, method=method, generate=is_generated, **options)

    def _search(
        self,
        question: str,
        k: int,
        method: str,
        options: Mapping[str, Any],
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
    ) -> tuple[Evidence, float]:
        """The evidence, and the seconds that took without the question's embedding."""
        request = Request(self.name, question, k, method, filters, options, budget)
        return search.find_evidence(self._connection, request)
