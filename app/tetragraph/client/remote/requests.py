"""Bodies of the service's requests, which server and client share; defaults are those of the local client.

Numbers and truth values have their own types of JSON: neither "5" nor true is the number of hits.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt

from tetragraph.answering.compose import CONTEXT_TOKENS, LEAST_CONTEXT, Context
from tetragraph.client.remote.values import Form
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model import Document, Evidence, Filters, Heading, Metadata, Page
from tetragraph.model.answers import MIN_CONFIDENCE
from tetragraph.model.usage import UNLIMITED, Budget, check_budget
from tetragraph.retrieval.request import MAX_QUESTION
from tetragraph.validation import merge_options

MOST_HITS = 1_000
"""Largest number of hits that a request to the service asks for."""
MOST_LISTED = 1_000
"""Largest number of rows of a list."""
MOST_DOCUMENTS = 10_000
MOST_QUESTIONS = 5_000
MOST_METHODS = 20
"""Largest number of runs of an evaluation."""

Question = Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)]
Count = Annotated[StrictInt, Field(ge=1, le=MOST_HITS)]
Options = Annotated[dict[str, Any], Field(description="Options of the method or graph by name; see docs/options.md.")]
ContextTokens = Annotated[StrictInt, Field(ge=LEAST_CONTEXT, le=1_000_000)]
Share = Annotated[StrictFloat, Field(ge=0, le=1)]
_SOME_METHODS = Field(min_length=1, max_length=MOST_METHODS)


class BudgetForm(Form):
    """Limits of the language model; none where left out."""

    tokens: Annotated[StrictInt, Field(ge=1)] | None = None
    money: Annotated[StrictFloat, Field(gt=0)] | None = None
    deadline_s: Annotated[StrictFloat, Field(gt=0)] | None = None

    @classmethod
    def of(cls, budget: Budget) -> BudgetForm:
        """The form of a budget.

        Raises:
            InvalidInput: it is none.
        """
        check_budget(budget)
        return cls(tokens=budget.tokens, money=budget.money, deadline_s=budget.deadline_s)

    def budget(self) -> Budget:
        """The budget of the form."""
        return Budget(self.tokens, self.money, self.deadline_s) if self != BudgetForm() else UNLIMITED


class Call(Form):
    """The arguments of a method of the client, and its options."""

    @property
    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of the method, the options among them.

        Raises:
            InvalidInput: an option has the name of an argument.
        """
        given = {name: getattr(self, name) for name in type(self).model_fields}
        options = given.pop("options")
        if "budget" in given:
            given["budget"] = given["budget"].budget()
        return merge_options(options, **given)


class FactsRequest(Call):
    """A search for facts."""

    question: Question
    k: Count = 10
    filters: Filters | None = None
    options: Options = Field(default_factory=dict)
    budget: BudgetForm = BudgetForm()


class SearchRequest(FactsRequest):
    """A search for chunks."""

    method: str = "evidence"


class AskRequest(SearchRequest):
    """A question to be answered."""

    k: Count = 5
    generate: StrictBool | None = None
    iterations: Annotated[StrictInt, Field(ge=1, le=20)] = 1
    context_tokens: ContextTokens = CONTEXT_TOKENS
    context: Context = "passages"
    min_confidence: Share = MIN_CONFIDENCE


class AnchorRequest(FactsRequest):
    """A question to be answered in several steps, which are stored as a session."""

    k: Count = 5
    generate: StrictBool | None = None
    context_tokens: ContextTokens = CONTEXT_TOKENS
    min_confidence: Share = MIN_CONFIDENCE
    ttl_s: Annotated[StrictFloat, Field(gt=0, le=1e9)] | None = None

    @property
    def ttl(self) -> timedelta | None:
        """Time after which the session may be pruned."""
        return None if self.ttl_s is None else timedelta(seconds=self.ttl_s)

    @property
    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of the method, the options among them."""
        given = super().arguments
        del given["ttl_s"]
        return merge_options(given, ttl=self.ttl)


class ResumeRequest(Form):
    """The continuation of a session."""

    budget: BudgetForm = BudgetForm()


class FollowUpRequest(ResumeRequest):
    """A follow-up question in a session."""

    question: Question


class ForkRequest(ResumeRequest):
    """A new session that begins with the first steps of another one."""

    at: Annotated[StrictInt, Field(ge=0, le=10_000)]
    query: Annotated[str, Field(max_length=MAX_QUESTION)] = ""
    retriever: str = ""
    ttl_s: Annotated[StrictFloat, Field(gt=0, le=1e9)] | None = None

    @property
    def ttl(self) -> timedelta | None:
        """Time after which the session may be pruned."""
        return None if self.ttl_s is None else timedelta(seconds=self.ttl_s)


class HitsRequest(Form):
    """Hits of a result: the result of an earlier search, or a search to be made."""

    evidence: Evidence | None = None
    search: SearchRequest | None = None


class ExplainRequest(HitsRequest):
    """A hit to be explained."""

    rank: Annotated[StrictInt, Field(ge=1, le=MOST_HITS)] = 1


class SubgraphRequest(HitsRequest):
    """Hits whose paths are drawn; all of the result where none is named."""

    ranks: Annotated[tuple[StrictInt, ...], Field(max_length=MOST_HITS)] = ()


class DocumentForm(Form):
    """A document with its text; one that was read from a file replaces only what has the same source."""

    id: Annotated[str, Field(min_length=1, max_length=4_000)]
    title: str
    text: str
    source: str = ""
    metadata: Metadata = Field(default_factory=dict)
    headings: tuple[Heading, ...] = ()
    pages: tuple[Page, ...] = ()
    named_by_file: StrictBool = False
    from_file: StrictBool = False

    @classmethod
    def of(cls, document: Document) -> DocumentForm:
        """The form of a document; the path of its file is not sent."""
        given = {name: getattr(document, name) for name in cls.model_fields}
        return cls(**{**given, "from_file": bool(document.origin)})

    def document(self) -> Document:
        """The document of the form."""
        return Document(**{name: getattr(self, name) for name in type(self).model_fields})


class IngestOptions(Form):
    """How documents are ingested."""

    build: tuple[str, ...] = ("gain",)
    embedder: str | None = None
    chunk_tokens: Annotated[StrictInt, Field(ge=1)] | None = None
    sentences: Literal["separate", "pooled", "none"] | None = None
    arrays: StrictBool | None = None
    budget: BudgetForm = BudgetForm()


class IngestRequest(IngestOptions):
    """Documents to ingest."""

    documents: Annotated[tuple[DocumentForm, ...], Field(max_length=MOST_DOCUMENTS)]


class DeletionRequest(Form):
    """Documents to delete, by their ids."""

    documents: Annotated[tuple[str, ...], Field(min_length=1, max_length=MOST_DOCUMENTS)]


class EstimateRequest(Call):
    """A graph to build, with its options."""

    what: str
    options: Options = Field(default_factory=dict)


class BuildRequest(EstimateRequest):
    """A graph to build."""

    if_drifted: StrictBool = False
    budget: BudgetForm = BudgetForm()


class ChunksRequest(Form):
    """Chunks to read, by their ids."""

    chunks: Annotated[tuple[str, ...], Field(max_length=MOST_LISTED)]


class NamesRequest(Form):
    """A name to split from an entity, or to join with it again."""

    entity: Annotated[str, Field(min_length=1)]
    alias: Annotated[str, Field(min_length=1)]


class AnalyticsRequest(Form):
    """Parameters of a statement for analysts."""

    parameters: dict[str, str | int | float | bool] = Field(default_factory=dict)


class MethodForm(Form):
    """A method with its options, as one run of an evaluation."""

    method: str
    options: Options = Field(default_factory=dict)


class EvaluationRequest(Form):
    """Questions with gold, and the methods that are evaluated on them."""

    questions: Annotated[tuple[GoldQuestion, ...], Field(min_length=1, max_length=MOST_QUESTIONS)]
    methods: Annotated[tuple[str, ...], _SOME_METHODS] | Annotated[dict[str, MethodForm], _SOME_METHODS] = (
        "dense",
        "keyword",
        "fused",
        "evidence",
    )
    ks: Annotated[tuple[Annotated[StrictInt, Field(ge=1, le=MOST_HITS)], ...], Field(min_length=1, max_length=20)] = (
        2,
        5,
        10,
    )
    baseline: str | None = None
    allow_missing: StrictBool = False
    judge_answers: StrictBool = False


class KeyRequest(Form):
    """A key to create."""

    scopes: Annotated[tuple[Literal["search", "ingest", "admin"], ...], Field(min_length=1, max_length=3)]
    corpora: Annotated[tuple[str, ...], Field(min_length=1, max_length=100)]
    name: Annotated[str, Field(max_length=200)] = ""
    lifetime_s: Annotated[StrictFloat, Field(ge=1, le=3e9)] | None = None
