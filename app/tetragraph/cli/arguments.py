"""Arguments and options of the commands, each defined once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import typer

from tetragraph.executors import ExecutorName
from tetragraph.model.reading import Boilerplate, Html, Ocr
from tetragraph.systems.names import BUILDS, METHODS, TUNED

BUILT_BY_DEFAULT = "gain"
"""Graph that ``ingest`` builds without ``--build``."""


def join_names(names: Iterable[str]) -> str:
    """Join names with commas and "or".

    >>> join_names(["gain", "tree", "types"])
    'gain, tree or types'
    """
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
CorpusName = Annotated[str, typer.Option("--corpus", "-c", help="Name of the corpus.")]
Sources = Annotated[
    list[str], typer.Argument(help="Folders, files, glob patterns, or data sets such as ir-datasets:beir/scifact.")
]
Graphs = Annotated[
    list[str] | None,
    typer.Option(
        "--build",
        help=f"What to build: {BUILT_BY_DEFAULT} (default), "
        f"{', '.join(name for name in BUILDS if name != BUILT_BY_DEFAULT)}, or none. May be repeated.",
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option("--embedder", help="For a new corpus: bge-small (default), minilm, multilingual, openai:MODEL …"),
]
ChunkTokens = Annotated[
    int | None, typer.Option("--chunk-tokens", help="For a new corpus: the longest chunk, in tokens.")
]
LoaderName = Annotated[
    str | None,
    typer.Option("--loader", help="Read every file with this loader, such as musique; by default its suffix decides."),
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", help="Encoding of text files, such as latin-1; by default UTF-8, otherwise guessed."),
]
HtmlText = Annotated[
    Html,
    typer.Option("--html", help="What to read of web pages: their main text (main), or all of them (page)."),
]
BoilerplateLines = Annotated[
    Boilerplate,
    typer.Option("--boilerplate", help="Whether text files are indexed without their navigation, teasers and notices."),
]
Recognition = Annotated[
    Ocr,
    typer.Option("--ocr", help="Whether text of scans and pictures is recognised, with the extra ocr (auto or off)."),
]
TextColumn = Annotated[
    str | None, typer.Option("--text-column", help="Column or key with the text, in tables and JSON; default: text.")
]
TitleColumn = Annotated[str | None, typer.Option("--title-column", help="Column or key with the title.")]
IdColumn = Annotated[str | None, typer.Option("--id-column", help="Column or key with the id.")]
GazetteerFile = Annotated[
    Path | None,
    typer.Option("--gazetteer", help="CSV or JSON Lines file of known entities: name, type, aliases. Kept."),
]
VersionFile = Annotated[
    Path | None,
    typer.Option("--versions", help="CSV or JSON Lines file: id, valid_from, valid_to, supersedes of documents."),
]
Arrays = Annotated[
    bool | None,
    typer.Option(
        "--arrays/--no-arrays",
        help="For a new corpus: whether to write arrays for searches in memory (default), or search in the stores.",
    ),
]
SentenceVectors = Annotated[
    str | None,
    typer.Option(
        "--sentences",
        help="For a new corpus: vectors of sentences: separate (default of local models), pooled or none.",
    ),
]
ExecutorChoice = Annotated[
    ExecutorName | None,
    typer.Option(
        "--executor",
        help="Where to embed and parse: on this machine (local), or on workers of a Ray cluster (ray). Default: "
        "TETRAGRAPH_EXECUTOR, else local.",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Exit with 3 when any source was skipped, not only when all were.")
]
IfDrifted = Annotated[
    bool, typer.Option("--if-drifted", help="Rebuild the tree only if updates have raised its entropy too far.")
]
JudgeName = Annotated[
    str | None,
    typer.Option(
        "--judge", help="For gain: the judge: token_free, or a language model: llm (levels), score, binary or same."
    ),
]
EstimateOnly = Annotated[
    bool, typer.Option("--estimate", help="Build nothing: print what the language model would cost.")
]
Documents = Annotated[
    list[str] | None,
    typer.Option("--document", "-d", help="Id of a document; may be repeated. The whole corpus without it."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a whole corpus is deleted.")]
IdPrefix = Annotated[
    str | None,
    typer.Option("--prefix", help="Begin all ids with this, in place of the folder's own name."),
]
Moved = Annotated[
    bool, typer.Option("--moved", help="The files have moved: replace documents that came from another path.")
]
Prune = Annotated[
    bool,
    typer.Option("--prune", help="Delete documents whose file or row is gone from these sources, after asking."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Write nothing: show what would be read and skipped, and how long it takes.")
]
YesPrune = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before --prune deletes.")]
Hits = Annotated[int, typer.Option("-k", help="How many passages.")]
MethodName = Annotated[str, typer.Option("--method", "-m", help=f"{join_names(METHODS)}.")]
AskedPassages = Annotated[int, typer.Option("-k", min=1, help="How many passages the answer is made from.")]
Stream = Annotated[bool, typer.Option("--stream", help="Show the answer while it is written.")]
Extractive = Annotated[
    bool, typer.Option("--extractive", help="Extract the answer from a passage, even if a language model is set.")
]
MinConfidence = Annotated[
    float,
    typer.Option(
        "--min-confidence",
        min=0.0,
        max=1.0,
        help="Confidence, 0 to 1, below which an extractive answer is withheld and the nearest sentences are shown.",
    ),
]
ExplainAnswer = Annotated[
    bool,
    typer.Option(
        "--explain", help="Show the origin of an extractive answer: sub-questions, candidates, values compared."
    ),
]
Iterations = Annotated[
    int, typer.Option("--iterations", min=1, help="Searches at the most: 1, and one for each follow-up question.")
]
ContextOption = Annotated[
    Literal["passages", "facts", "both"],
    typer.Option("--context", help="What the language model reads: passages; facts, of method bipartite; or both."),
]
AskMode = Annotated[
    str | None,
    typer.Option("--mode", help="Mode of the method, such as paper; rl lets a model query the facts turn by turn."),
]
FactsShown = Annotated[int, typer.Option("-k", "--limit", min=1, help="How many facts.")]
FactOptions = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A setting of method bipartite, NAME=VALUE; may be repeated.")
]
OtherEntity = Annotated[
    str | None, typer.Option("--between", help="Show the facts that connect the entity to this one.")
]
Hops = Annotated[int, typer.Option("--hops", min=1, max=3, help="Largest number of facts on a path between them.")]
SplitAlias = Annotated[str | None, typer.Option("--split", help="Make this merged name an entity of its own.")]
JoinedAlias = Annotated[str | None, typer.Option("--join", help="Undo --split: allow this name to be merged again.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help="A setting, NAME=VALUE; may be repeated.")]
Conditions = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        "-f",
        help="KEY=VALUE, KEY=A|B, KEY!=VALUE, KEY>=VALUE or KEY<=VALUE on metadata, @source=PATTERN or @suffix=pdf.",
    ),
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="Search only documents that were valid on this day, such as 2024-05-31.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Show the parts of each score.")]
ExplainedQuestion = Annotated[str, typer.Argument(help="The question.")]
ExplainedRank = Annotated[
    int | None, typer.Option("--rank", min=1, help="Rank of the passage to explain; all when left out.")
]
CypherOnly = Annotated[bool, typer.Option("--cypher", help="Print nothing but the statement that draws the graph.")]
ExplainedFile = Annotated[
    Path | None,
    typer.Option("--out", help="Save the graph as well: a page (.html), .graphml, .jsonl, or a folder .parquet."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file or folder.")]
Questions = Annotated[int, typer.Option("--questions", "-n", min=1, help="How many sample questions to ask.")]
Depth = Annotated[int | None, typer.Option("--depth", min=1, help="How many levels of themes; all when left out.")]
ShownThemes = Annotated[
    int, typer.Option("--limit", min=1, help="How many themes below each theme, the largest first.")
]
ThemeId = Annotated[
    str | None, typer.Option("--theme", help="Show only the theme with this id, or with this unique prefix of it.")
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--html", dir_okay=False, help="Write a page with nested boxes that can be opened; it needs no network."
    ),
]
EvaluatedCorpus = Annotated[str | None, typer.Option("--corpus", "-c", help="Name of the corpus.")]
QuestionFile = Annotated[
    Path | None,
    typer.Option(
        "--questions",
        "-q",
        help="File of questions with the ids of their gold documents, a folder of BEIR or TREC, or ir-datasets:ID.",
    ),
]
Qrels = Annotated[
    Path | None,
    typer.Option("--qrels", dir_okay=False, help="TREC qrels with the gold of the questions; others are left out."),
]
QuestionFormat = Annotated[
    str | None, typer.Option("--format", help="Format of the questions; recognised by the first row when left out.")
]
AnswerKinds = Annotated[
    list[str] | None,
    typer.Option("--answer", help="Also answer the questions in every run: generated or extractive; may be repeated."),
]
JudgeAnswers = Annotated[
    bool,
    typer.Option(
        "--judge-answers", help="Ask the language model whether each answer is right, and for seven ratings of it."
    ),
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Ask only the first questions, this many.")]
ComparedMethods = Annotated[
    list[str] | None,
    typer.Option(
        "--method",
        "-m",
        help="NAME or NAME:OPTION=VALUE:…, separated by commas; dense,keyword,fused,evidence when left out.",
    ),
]
ForeignRuns = Annotated[
    list[Path] | None, typer.Option("--run", help="Rankings of another system, a TREC run file; may be repeated.")
]
Cuts = Annotated[
    list[str] | None, typer.Option("-k", help="Where rankings are cut, separated by commas; 2,5,10 when left out.")
]
Baseline = Annotated[
    str | None, typer.Option("--baseline", help="Run that all others are compared with; the first when left out.")
]
OutFolder = Annotated[Path, typer.Option("--out", help="Folder for report, manifest and rankings.")]
AllowMissing = Annotated[bool, typer.Option("--allow-missing", help="Count gold that the corpus lacks as not found.")]
Manifest = Annotated[
    Path | None, typer.Option("--check", help="Repeat the evaluation of this manifest, and print the differences.")
]
TunedMethod = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        help=f"The method to tune: {join_names(TUNED)}.",
    ),
]
TrainQuestions = Annotated[
    Path, typer.Option("--questions", "-q", help="File of the questions on which settings are chosen.")
]
ReportCorpus = Annotated[
    str | None, typer.Option("--report-corpus", help="Corpus of the other questions; the same when left out.")
]
ReportQuestions = Annotated[
    Path, typer.Option("--report-questions", help="File of other questions, on which the gain is measured.")
]
Grids = Annotated[
    list[str] | None,
    typer.Option(
        "--setting", "-s", help="A setting and the values to try, NAME=VALUE,VALUE; may be repeated. All when left out."
    ),
]
Objective = Annotated[str, typer.Option("--objective", help="Metrics whose mean is maximised.")]
Budget = Annotated[int, typer.Option("--budget", min=2, help="Largest number of combinations of settings to try.")]
OutFile = Annotated[Path, typer.Option("--out", help="File for everything that was tried.")]
LlmName = Annotated[
    str | None,
    typer.Option("--llm", help="Language model to ask, instead of TETRAGRAPH_LLM: its name, or replay:FILE."),
]
BudgetTokens = Annotated[
    int | None, typer.Option("--budget-tokens", min=1, help="Tokens that the language model may cost, in and out.")
]
BudgetMoney = Annotated[
    float | None,
    typer.Option("--budget-money", help="What the language model may cost, by the prices of TETRAGRAPH_LLM_PRICES."),
]
Deadline = Annotated[
    float | None, typer.Option("--deadline", help="Seconds after which the language model is asked no more.")
]
Retriever = Annotated[
    str | None, typer.Option("--retriever", help="Search method of the steps: any but anchor; evidence when left out.")
]
Steps = Annotated[int | None, typer.Option("--steps", min=1, help="How many searches at the most; 4 when left out.")]
Updates = Annotated[
    int | None, typer.Option("--updates", min=0, help="How often the graph may grow after the first step; 3.")
]
ReadPassages = Annotated[
    int | None, typer.Option("--documents", min=1, help="How many passages of a step are read into the graph; 5.")
]
ReasonerOption = Annotated[
    str | None,
    typer.Option("--reasoner", help="Extends the graph, judges it and asks on: token_free (default) or a model: llm."),
]
AnchorOptionItems = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="Another setting of method anchor, NAME=VALUE.")
]
TimeToLive = Annotated[
    float | None,
    typer.Option("--ttl", help="Days until the session may be pruned; TETRAGRAPH_SESSION_DAYS when left out."),
]
SessionPicture = Annotated[
    Path | None,
    typer.Option("--html", dir_okay=False, help="Write a page with a slider over the steps; it needs no network."),
]
SessionId = Annotated[str, typer.Argument(help="Id of the session, or a unique prefix of it.")]
SessionFile = Annotated[Path, typer.Argument(dir_okay=False, help="A file that ends in .json, .graphml or .html.")]
SessionForm = Annotated[
    str | None, typer.Option("--format", help="json, graphml or html; derived from the file's name when left out.")
]
NewestSessions = Annotated[int, typer.Option("--limit", min=1, help="How many sessions, the newest first.")]
ForkedAt = Annotated[int, typer.Option("--at", min=1, help="Number of the last step that is copied.")]
ForkQuery = Annotated[str, typer.Option("--query", help="Next query, in place of the one that the step asks.")]
YesToSession = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the session is deleted.")]
DoctorCorpus = Annotated[str | None, typer.Option("--corpus", "-c", help="Check this corpus only.")]
Repair = Annotated[bool, typer.Option("--repair", help="Repair the faults whose repair deletes nothing.")]
YesToDoctor = Annotated[
    bool, typer.Option("--yes", "-y", help="With --repair: also repair faults whose repair deletes data.")
]
ExportPlace = Annotated[
    Path, typer.Argument(help="A file that ends in .graphml or .jsonl, or a folder that ends in .parquet.")
]
ExportForm = Annotated[
    str | None,
    typer.Option("--format", help="graphml, jsonl or parquet; derived from the target's name when left out."),
]
StatementName = Annotated[str, typer.Argument(help="Name of the statement, with its folder or without.")]
ParameterItems = Annotated[
    list[str] | None, typer.Option("--param", "-p", help="A parameter, NAME=VALUE; may be repeated.")
]
StatementText = Annotated[
    str, typer.Argument(help="The statement, with $corpus; - reads it from standard input.", show_default=False)
]
RowLimit = Annotated[int, typer.Option("--limit", min=1, help="How many rows at the most.")]
Timeout = Annotated[float, typer.Option("--timeout", help="Seconds after which the server ends the statement.")]
TableForm = Annotated[
    str | None,
    typer.Option("--format", help="table, csv or json; derived from the file's name when left out, else table."),
]
TableFile = Annotated[Path | None, typer.Option("--out", dir_okay=False, help="Write csv or json to this file.")]
ForBrowser = Annotated[
    bool, typer.Option("--browser", help="Begin with the line that sets the parameters in Neo4j Browser.")
]
