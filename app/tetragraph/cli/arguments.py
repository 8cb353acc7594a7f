"""Arguments and options that the commands take, each described once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

BUILT_BY_DEFAULT = "gain"


def listed(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["gain", "tree", "types"])
    'gain, tree or types'
    """
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
CorpusName = Annotated[str, typer.Option("--corpus", "-c", help="Name of the corpus.")]
Sources = Annotated[list[str], typer.Argument(help="Folders, files or glob patterns.")]
Graphs = Annotated[
    list[str] | None,
    typer.Option(
        "--build",
        help=f"What to build: {BUILT_BY_DEFAULT} (default), "
        f"{', '.join(name for name in BUILD_TARGETS if name != BUILT_BY_DEFAULT)}, or none. May be repeated.",
    ),
]
EmbedderName = Annotated[
    str | None, typer.Option("--embedder", help="For a new corpus: bge-small (default), minilm, openai:MODEL …")
]
ChunkTokens = Annotated[
    int | None, typer.Option("--chunk-tokens", help="For a new corpus: the longest chunk, in tokens.")
]
LoaderName = Annotated[
    str | None,
    typer.Option("--loader", help="Read every file with this loader, such as musique; usually its suffix tells."),
]
SentenceVectors = Annotated[
    str | None,
    typer.Option(
        "--sentences",
        help="For a new corpus: vectors of sentences: separate (default of local models), pooled or none.",
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 3 when a source was skipped.")]
IfDrifted = Annotated[
    bool, typer.Option("--if-drifted", help="Make the tree anew only if updates have raised its entropy too far.")
]
JudgeName = Annotated[
    str | None,
    typer.Option(
        "--judge", help="For gain: who judges: token_free, or the language model: llm (levels), score, binary or same."
    ),
]
EstimateOnly = Annotated[
    bool, typer.Option("--estimate", help="Build nothing: print what the language model would cost.")
]
Documents = Annotated[
    list[str] | None, typer.Option("--document", "-d", help="Id of a document; may be repeated. Without it all goes.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a whole corpus is deleted.")]
Hits = Annotated[int, typer.Option("-k", help="How many passages.")]
MethodName = Annotated[str, typer.Option("--method", "-m", help=f"{listed(RETRIEVERS)}.")]
AskedPassages = Annotated[int, typer.Option("-k", min=1, help="How many passages the answer is made from.")]
Stream = Annotated[bool, typer.Option("--stream", help="Show the answer while it is written.")]
Extractive = Annotated[
    bool, typer.Option("--extractive", help="Answer with a stretch of a passage, also where a language model is set.")
]
Iterations = Annotated[
    int, typer.Option("--iterations", min=1, help="Searches at the most: 1, and one for each follow-up question.")
]
FactsShown = Annotated[int, typer.Option("-k", "--limit", min=1, help="How many facts.")]
FactOptions = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A setting of method bipartite, NAME=VALUE; may be repeated.")
]
OtherEntity = Annotated[str | None, typer.Option("--between", help="Show the facts that join it to this other one.")]
Hops = Annotated[int, typer.Option("--hops", min=1, max=3, help="How many facts may join them, one to the next.")]
SplitAlias = Annotated[str | None, typer.Option("--split", help="This name does not mean it: an entity of its own.")]
JoinedAlias = Annotated[str | None, typer.Option("--join", help="Undo --split: this name may mean it again.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help="A setting, NAME=VALUE; may be repeated.")]
Conditions = Annotated[
    list[str] | None, typer.Option("--filter", "-f", help="KEY=VALUE, KEY>=VALUE or KEY<=VALUE on metadata.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")]
ExplainedQuestion = Annotated[str, typer.Argument(help="The question.")]
ExplainedRank = Annotated[
    int | None, typer.Option("--rank", min=1, help="Rank of the passage to explain; all when left out.")
]
CypherOnly = Annotated[bool, typer.Option("--cypher", help="Print nothing but the statement that draws the graph.")]
ExplainedFile = Annotated[
    Path | None,
    typer.Option("--out", help="Save the graph as well: a page (.html), .graphml, .jsonl, or a folder .parquet."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there already.")]
Questions = Annotated[int, typer.Option("--questions", "-n", min=1, help="How many sample questions to ask.")]
Depth = Annotated[int | None, typer.Option("--depth", min=1, help="How many levels of themes; all when left out.")]
ShownThemes = Annotated[int, typer.Option("--limit", min=1, help="How many themes at each place, the largest first.")]
ThemeId = Annotated[str | None, typer.Option("--theme", help="Show this one theme; its id, or how that begins.")]
Picture = Annotated[
    Path | None,
    typer.Option("--html", dir_okay=False, help="Write a page with boxes to go into; it needs no network."),
]
EvaluatedCorpus = Annotated[str | None, typer.Option("--corpus", "-c", help="Name of the corpus.")]
QuestionFile = Annotated[
    Path | None, typer.Option("--questions", "-q", help="File of questions with the ids of their gold documents.")
]
QuestionFormat = Annotated[
    str | None, typer.Option("--format", help="Format of the questions; told by their first row when left out.")
]
AnswerKinds = Annotated[
    list[str] | None,
    typer.Option("--answer", help="Have every run answer, too: generated or extractive; may be repeated."),
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Ask the first so many questions only.")]
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
    str | None, typer.Option("--baseline", help="What all others are compared with; the first when left out.")
]
OutFolder = Annotated[Path, typer.Option("--out", help="Folder for report, manifest and rankings.")]
AllowMissing = Annotated[bool, typer.Option("--allow-missing", help="Count gold that the corpus lacks as not found.")]
Manifest = Annotated[
    Path | None, typer.Option("--check", help="Repeat the evaluation of this manifest, and say what differs.")
]
TunedMethod = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        help=f"The method to tune: {listed(name for name, one in RETRIEVERS.items() if one.tuning_grid)}.",
    ),
]
TrainQuestions = Annotated[Path, typer.Option("--questions", "-q", help="File of the questions to choose on.")]
ReportCorpus = Annotated[
    str | None, typer.Option("--report-corpus", help="Corpus to report on; the same when left out.")
]
ReportQuestions = Annotated[Path, typer.Option("--report-questions", help="File of other questions, to report on.")]
Grids = Annotated[
    list[str] | None,
    typer.Option("--setting", "-s", help="A setting and what to try, NAME=VALUE,VALUE; may be repeated. Else all."),
]
Objective = Annotated[str, typer.Option("--objective", help="Metrics whose mean is made as large as possible.")]
Budget = Annotated[int, typer.Option("--budget", min=2, help="How many choices of settings are tried at the most.")]
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
    typer.Option("--reasoner", help="Who extends the graph, judges and asks on: token_free (default) or a model: llm."),
]
AnchorOptionItems = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="Another setting of method anchor, NAME=VALUE.")
]
TimeToLive = Annotated[
    float | None,
    typer.Option("--ttl", help="Days until it may be pruned; TETRAGRAPH_SESSION_DAYS when left out."),
]
SessionPicture = Annotated[
    Path | None,
    typer.Option("--html", dir_okay=False, help="Write a page with a slider over the steps; it needs no network."),
]
SessionId = Annotated[str, typer.Argument(help="Id of the session, or how that begins.")]
SessionFile = Annotated[Path, typer.Argument(dir_okay=False, help="Its name ends in .json, .graphml or .html.")]
SessionForm = Annotated[
    str | None, typer.Option("--format", help="json, graphml or html; told by the file's name when left out.")
]
NewestSessions = Annotated[int, typer.Option("--limit", min=1, help="How many sessions, the newest first.")]
ForkedAt = Annotated[int, typer.Option("--at", min=1, help="Number of the last step that is copied.")]
ForkQuery = Annotated[str, typer.Option("--query", help="What to search for next.")]
YesToSession = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the session is deleted.")]
DoctorCorpus = Annotated[str | None, typer.Option("--corpus", "-c", help="Look at this corpus alone.")]
Repair = Annotated[bool, typer.Option("--repair", help="Mend what was found, as far as nothing has to be deleted.")]
YesToDoctor = Annotated[bool, typer.Option("--yes", "-y", help="With --repair: delete what has to be deleted, too.")]
ExportPlace = Annotated[
    Path, typer.Argument(help="A file that ends in .graphml or .jsonl, or a folder that ends in .parquet.")
]
ExportForm = Annotated[
    str | None, typer.Option("--format", help="graphml, jsonl or parquet; told by the target's name when left out.")
]
StatementName = Annotated[str, typer.Argument(help="Name of the statement, with its folder or without.")]
ParameterItems = Annotated[
    list[str] | None, typer.Option("--param", "-p", help="A parameter, NAME=VALUE; may be repeated.")
]
TableForm = Annotated[
    str | None, typer.Option("--format", help="table, csv or json; told by the file's name when left out, else table.")
]
TableFile = Annotated[Path | None, typer.Option("--out", dir_okay=False, help="Write csv or json to this file.")]
ForBrowser = Annotated[
    bool, typer.Option("--browser", help="Begin with the line that sets the parameters in Neo4j Browser.")
]
