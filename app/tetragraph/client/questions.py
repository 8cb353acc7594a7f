"""Questions to a corpus: search, answers, searches in several steps with their sessions, facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from tetragraph.answering import ask, sessions
from tetragraph.answering.compose import CONTEXT_TOKENS, AskOptions, Context
from tetragraph.answering.session_runner import AnchorRequest
from tetragraph.answering.sessions import AnchorRun, Session, Sessions
from tetragraph.answering.stream import AnswerStream, single_piece
from tetragraph.client.inspection import CorpusInspection
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model import Evidence, FactEvidence, Filters
from tetragraph.model.answers import MIN_CONFIDENCE, Answer
from tetragraph.model.usage import UNLIMITED, Budget
from tetragraph.progress import NoProgress, Progress
from tetragraph.retrieval import search
from tetragraph.retrieval.request import Request
from tetragraph.rl import ask as rl_ask
from tetragraph.rl.episodes import CorpusFacts, EpisodeRequest
from tetragraph.rl.rollouts import GROUP, RolloutRequest, Rollouts, run_rollouts
from tetragraph.rl.train_options import TrainOptions
from tetragraph.rl.training import GrpoTraining, TrainingReport
from tetragraph.systems.registry import ANCHOR, FACTS


class CorpusQuestions(CorpusInspection):
    """Methods of a corpus that answer questions; thread-safe."""

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
        """Find the ``k`` chunks (passages) that best support an answer to a question.

        Args:
            question: Text of the question; at most 10,000 characters.
            k: Number of chunks, 1 to 1,000,000; the result has fewer only if the corpus has fewer.
            method: ``evidence``, ``gain``, ``tree``, ``bipartite``, ``anchor``, ``dense``, ``keyword`` or ``fused``.
                A search by ``anchor`` stores no session; :meth:`anchor` does.
            filters: Metadata key to a value, a list of values, or bounds (``{"year": {"gte": 1990}}``), which are
                numbers or days such as ``"2024-05-31"``, and of which ``ne`` excludes a value or a list of values;
                documents that do not match are excluded from the search. A list of texts, such as tags, matches each of
                its members. ``@source`` is a path or pattern of files, and ``@suffix`` the ending of their names.
            budget: Limits of the language model, if an option uses one; default: those of the settings.
            options: Options of the method: the fields of ``EvidenceOptions``, ``GainOptions``, ``TreeOptions``,
                ``BipartiteOptions``, ``AnchorOptions`` or ``FusedOptions``; and those of every method: ``rerank``,
                ``rerank_pool``, ``rerank_weight``, ``per_document``, ``as_of``, a day on which documents must have been
                valid, and ``superseded``, what becomes of passages whose document another one supersedes.

        Returns:
            The hits in descending order of score, with the manifest that is needed to repeat the search.

        Raises:
            InvalidInput: the question is empty, ``k`` is out of range, an option is unknown or a value is out of range.
            UnknownMethod, UnknownFilter, UnknownCorpus: no such method, metadata key or corpus; the message lists
                those that exist.
            NotBuilt: the corpus lacks the graph that the method needs.
            UnknownPolicy: ``method="anchor"`` with a policy that does not exist.
            MissingDependency: a model is to rerank the hits, and it is not installed.
            EmbedderUnavailable: the service that embeds the question does not answer.
            LlmNotConfigured: an option uses a language model, and none is configured.
            BudgetExhausted, DeadlineExceeded, LlmUnavailable, LlmRefused, UnusableReply: see :meth:`ask`.
            StoreUnavailable: a store does not answer; the client works again once the store is back.
        """
        return search.find_evidence(
            self._connection, Request(self.name, question, k, method, filters, options, budget), keeps=True
        )[0]

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
        """Answer a question from the ``k`` chunks that best support an answer, with checked citations.

        Args:
            question: Text of the question; at most 10,000 characters.
            k: Number of chunks that each search finds.
            method: Search method, as for :meth:`search`. With ``anchor`` the answer is that of :meth:`anchor`, and
                ``answer.session`` is the id of its session.
            filters: Conditions on metadata, as for :meth:`search`.
            budget: Limits of the language model, for searches and answer together. If they are reached during
                follow-up questions, the answer is the latest one, and a note gives the reason.
            generate: Whether a language model writes the answer; by default, whether one is configured. Otherwise
                the answer is extracted from the chunks. ``answer.kind`` names the kind.
            iterations: Largest number of searches: one for the question, and one for each follow-up question that
                the model asks while the evidence is insufficient; 1 without a model.
            context_tokens: Limit of the evidence that the model reads, in estimated tokens.
            context: Evidence that the model reads: ``passages``, the chunks found; ``facts``, the 15 best facts of
                ``method="bipartite"`` with the answers of its sub-questions; ``both``, facts first. Facts are in
                ``answer.facts``; the citation of one is the words that state it.
            min_confidence: Confidence, 0 to 1, below which an extractive answer is withheld: ``answer.text`` is empty
                and the citations are the sentences that come nearest. 0 shows every one.
            options: Options of the search method, as for :meth:`search`. With ``method="bipartite"`` and ``mode="rl"``
                the model queries the facts in several turns and answers (BiG-RAG, section 4.4); then also the fields
                of ``EpisodeOptions``: ``turns``, ``tokens``, ``temperature``, ``sample``; ``k`` is the number of facts
                that a query returns. The episode is stored as the session ``answer.session``.

        Raises:
            LlmNotConfigured: ``generate`` is true, and no model is configured.
            BudgetExhausted, DeadlineExceeded: the limits were reached before the first answer; no other kind of answer
                takes its place.
            LlmUnavailable, LlmRefused, UnusableReply: the model gives no answer.
            InvalidInput, UnknownMethod, UnknownFilter, UnknownCorpus, NotBuilt, StoreUnavailable: see :meth:`search`.
        """
        request = Request(self.name, question, k, method, filters, options, budget)
        answering = AskOptions(generate, iterations, context_tokens, context, min_confidence)
        if rl_ask.is_episode(options):
            return rl_ask.ask(self._connection, request, answering)
        return ask.ask(self._connection, request, answering)

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
        """Answer a question in pieces: iterate over the text while it is written, then read ``.answer``.

        Arguments and errors are those of :meth:`ask`; both the iteration and ``.answer`` may raise. Extractive answers
        and those by method ``anchor`` have one piece.
        """
        request = Request(self.name, question, k, method, filters, options, budget)
        answering = AskOptions(generate, iterations, context_tokens, context, min_confidence)
        if rl_ask.is_episode(options):
            return AnswerStream(single_piece(lambda: rl_ask.ask(self._connection, request, answering)))
        return ask.ask_stream(self._connection, request, answering)

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
        """Search in several steps that extend a graph of findings, and answer; Neo4j stores the steps as a session.

        Iterate over the steps while they are computed, then read ``.answer``; ``.session`` can be read meanwhile. Each
        step is written before the iterator returns it, so that an interrupted run can be resumed.

        Args:
            question: Text of the question; at most 10,000 characters.
            k: An extractive answer is searched for in the best ``2 * k`` chunks; each step retrieves 20 or more.
            filters: Conditions on metadata in every step, as for :meth:`search`.
            budget: Limits of the language model in cost and time. If they are reached, the answer is based on the
                evidence found until then.
            generate: Whether a language model writes the answer, as for :meth:`ask`.
            context_tokens: Limit of the evidence that the model reads, in estimated tokens.
            min_confidence: Confidence below which an extractive answer is withheld, as for :meth:`ask`.
            ttl: Time after which the session may be pruned; default: the setting ``session_days``.
            options: Fields of ``AnchorOptions``: ``retriever``, ``steps``, ``updates``, ``reasoner`` …

        Raises:
            InvalidInput: an argument breaks its rule; nothing was written.
            LlmNotConfigured: a model is to reason or to answer, and none is configured; nothing was written.
            UnknownMethod, NotBuilt: there is no such retriever, or the corpus lacks its graph; nothing was written.
            UnknownFilter, UnknownCorpus: see :meth:`search`; nothing was written.
            LlmUnavailable, LlmRefused: the model failed in a step; the session keeps its steps and can be resumed.
            SessionTaken: another process has resumed the session meanwhile; this run writes nothing more.
        """
        request = Request(self.name, question, k, ANCHOR.name, filters, options, budget)
        answering = AskOptions(generate, context_tokens=context_tokens, min_confidence=min_confidence)
        return sessions.begin(self._connection, AnchorRequest.from_search(request, answering), ttl)

    def session(self, session: str) -> Session:
        """Find a session by its id.

        Args:
            session: Id of the session, or a unique prefix of it.

        Raises:
            UnknownSession: no session has that id, or several ids have that prefix.
        """
        return self.sessions.get(session)

    @property
    def sessions(self) -> Sessions:
        """Sessions of the corpus: get one, list the newest, delete the expired."""
        return Sessions(self._connection, self.name)

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
        """Find the ``k`` facts that best answer a question, each with its path and the chunks that state it.

        Args:
            question: Text of the question; at most 10,000 characters.
            k: Number of facts, at least 1.
            filters: Conditions on metadata, as for :meth:`search`; facts that no matching document states are excluded.
            budget: Limits of the language model, as for :meth:`search`.
            options: Fields of ``BipartiteOptions``, except those that order or limit passages: ``rerank``,
                ``per_document`` and ``superseded="below"``.

        Returns:
            The facts in descending order of score.

        Raises:
            NotBuilt: the corpus has no bipartite graph; the message names the command that builds it.
            InvalidInput, UnknownFilter, UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        request = Request(self.name, question, k, FACTS.name, filters, options, budget)
        return search.find_facts(self._connection, request)

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
        """Let the language model answer questions in the RL mode, several times each, and reward its episodes.

        Replies are cached: a run that was interrupted repeats none that came, and a repeated one costs nothing.

        Args:
            questions: Questions with accepted answers.
            group: Number of episodes for each question; their samples are numbered from ``sample``.
            keep: Whether each episode is stored as a session, with its reward.
            filters: Conditions on metadata, as for :meth:`search`.
            budget: Limits of the language model for all episodes together.
            progress: Receives every episode; silent when left out.
            options: Fields of ``EpisodeOptions`` and ``BipartiteOptions`` except ``mode``, as for :meth:`ask` with
                ``mode="rl"``.

        Raises:
            InvalidInput: a question has no accepted answer, or an argument breaks its rule.
            LlmNotConfigured: no model is configured.
            LlmUnavailable, LlmRefused: the model gives no turn.
            NotBuilt, UnknownFilter, UnknownCorpus, StoreUnavailable: see :meth:`facts`.

        Source:
            BiG-RAG (2025), sections 4.4.3 and 4.4.4: rewards, and groups of trajectories of one question.
        """
        ttl = sessions.time_to_live(self._connection.settings, None)
        common = EpisodeRequest.with_options(self.name, options)
        episode = replace(common, filters=filters, budget=budget, keep=keep, ttl=ttl)
        return run_rollouts(self._connection, RolloutRequest(questions, episode, group), progress or NoProgress())

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
        """Train a language model as a policy of the RL mode, by GRPO with TRL, on this machine.

        Args:
            questions: Questions with accepted answers.
            model: Folder of a causal model with a chat template, or its name on the Hugging Face hub.
            out: Folder for the checkpoints, the trained ``policy`` and ``report.json``; new or empty without
                ``resume``.
            training: Options of the training; default: those of the paper.
            resume: Whether to continue after the last checkpoint in ``out``.
            filters: Conditions on metadata, as for :meth:`search`.
            progress: Receives every step; silent when left out.
            options: Fields of ``EpisodeOptions`` and ``BipartiteOptions`` except ``mode``, as for :meth:`ask` with
                ``mode="rl"``.

        Raises:
            InvalidInput: an argument breaks its rule, ``out`` is not empty, or it has nothing to resume.
            MissingDependency: the extra ``rl`` is not installed.
            NotBuilt, UnknownCorpus, StoreUnavailable: see :meth:`facts`.

        Source:
            BiG-RAG (2025), sections 4.4.4 and 4.4.5, table E.1.
        """
        request = replace(EpisodeRequest.with_options(self.name, options), filters=filters)
        FACTS.check_ready(self._connection.stores(self.name))
        llm = self._connection.operation("rl train", self.name)
        find = CorpusFacts(self._connection, request, llm)
        task = GrpoTraining(find, questions, request.episode, training or TrainOptions(), progress)
        return task.run(model, Path(out), resume=resume)
