"""The files of a report: contents, reproducibility, and no references to other resources."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tetragraph.errors import StoreError
from tetragraph.evaluate.model import EvaluationReport, Found, Run, RunStep, Scores, StepSequence, StepStatistics
from tetragraph.evaluate.report import content, write
from tetragraph.evaluate.report.page import page
from tetragraph.evaluate.report.plots import plots
from tetragraph.model.usage import Usage

HOSTILE = "<script>alert('x')</script><img src=https://example.org/x.png>"


@pytest.fixture(scope="module")
def html(report: EvaluationReport) -> LexborHTMLParser:
    return LexborHTMLParser(page(content(report), report))


def rows(html: LexborHTMLParser, table: str) -> list[list[str]]:
    """The cells of a table, row by row."""
    return [[cell.text(strip=True) for cell in row.css("th, td")] for row in html.css(f"#{table} tr")]


def slower(run: Run) -> Run:
    return replace(run, seconds={question: 2 * seconds for question, seconds in run.seconds.items()})


def test_report_json_is_the_same_whatever_time_the_searches_took(report: EvaluationReport, tmp_path: Path) -> None:
    write(report, tmp_path / "first")
    write(replace(report, runs=tuple(map(slower, report.runs))), tmp_path / "second")
    files = [(tmp_path / run / "report.json").read_bytes() for run in ("first", "second")]
    assert files[0] == files[1]
    tree = json.loads(files[0])
    assert list(tree) == sorted(tree)
    times = json.loads((tmp_path / "second" / "timings.json").read_text(encoding="utf-8"))
    assert times["runs"]["dense"] == {"q1": 0.016, "q2": 0.008}


def test_report_json_says_where_each_gold_passage_was_found(report: EvaluationReport) -> None:
    question = content(report)["questions"][0]
    assert [gold["ranks"] for gold in question["gold"]] == [
        {"evidence": 1, "dense": None},
        {"evidence": 2, "dense": 2},
    ]
    assert [found["gold"] for found in question["runs"]["evidence"]["found"]] == [True, True]
    assert [found["gold"] for found in question["runs"]["dense"]["found"]] == [False, True]
    assert question["runs"]["dense"]["metrics"]["recall@2"] == 0.5


def test_a_question_without_gold_has_no_metrics(report: EvaluationReport) -> None:
    question = content(report)["questions"][2]
    assert (question["gold"], question["runs"]["dense"]["metrics"]) == ([], {})
    assert len(question["runs"]["dense"]["found"]) == 2


def test_the_tables_hold_the_figures(html: LexborHTMLParser) -> None:
    assert rows(html, "table-methods") == [
        ["method", "recall", "all", "mrr"],
        ["", "@1", "@2", "@2", ""],
        ["evidence", "75.0", "100.0", "100.0", "100.0"],
        ["dense", "50.0", "75.0", "50.0", "75.0"],
    ]
    assert rows(html, "table-by-hops-1") == [
        ["recall@2", "questions", "evidence", "dense"],
        ["1", "1", "100.0", "100.0"],
        ["2", "1", "100.0", "50.0"],
    ]
    assert rows(html, "table-by-kind-2")[1:] == [["bridge", "1", "100.0", "0.0"], ["single", "1", "100.0", "100.0"]]
    assert rows(html, "table-latency")[2] == ["dense", "6.0", "7.8", "8.0", "6.0"]


def test_the_highest_figure_of_each_column_is_marked(html: LexborHTMLParser) -> None:
    assert [cell.text(strip=True) for cell in html.css("#table-methods .best")] == ["75.0", "100.0", "100.0", "100.0"]


def test_better_is_said_only_of_the_comparison_whose_verdict_it_is(html: LexborHTMLParser) -> None:
    assert [row[2:] for row in rows(html, "table-comparisons")[1:]] == [
        ["recall@1", "+25.0", "+0.0 to +50.0", "0.5000", "undecided"],
        ["recall@2", "+25.0", "+12.5 to +50.0", "0.0312", "better"],
    ]


def test_the_heading_names_the_corpus_and_what_limits_the_figures(html: LexborHTMLParser) -> None:
    heading = html.css_first("header")
    assert heading is not None
    words = " ".join(heading.text().split())
    assert "Evaluation on world Generation 7 · 3 questions, 2 of them with known evidence" in words
    assert "embedder minilm · tetragraph 0.1.0" in words
    assert [note.text() for note in heading.css(".note")] == [
        "1 of 3 questions has no gold",
        "dense: the ingest is unfinished",
    ]


def test_questions_that_all_answer_alike_are_not_shown(html: LexborHTMLParser) -> None:
    (shown,) = html.css("article")
    assert shown.attributes["data-values"] == "1.0 0.5"
    assert (shown.attributes["data-hops"], shown.attributes["data-kind"]) == ("2", "bridge")
    cells = [[cell.text(strip=True) for cell in row.css("td")] for row in shown.css("tbody tr")]
    assert cells == [["Tomas Reyer", "1", "–"], ["Elva Kron", "2", "2"], ["recall@2", "100.0", "50.0"]]


def test_each_ranking_marks_its_gold_and_shows_how_a_passage_begins(html: LexborHTMLParser) -> None:
    passages = [" ".join(one.text().split()) for one in html.css("article li")]
    assert passages[0].startswith("★ Tomas 1.0000")
    assert passages[0].endswith("Tomas Reyer was a teacher …")
    assert not passages[2].startswith("★")


def test_the_page_shows_what_a_rerun_needs(html: LexborHTMLParser) -> None:
    names, values = ([node.text() for node in html.css(f"#manifest {tag}")] for tag in ("dt", "dd"))
    assert dict(zip(names, values, strict=True)) == {
        "corpus.name": "world",
        "corpus.generation": "7",
        "corpus.embedder": "minilm",
        "versions.tetragraph": "0.1.0",
        "ks": "1, 2",
        "runs.evidence.options.chain": "off",
    }


def test_texts_of_documents_and_questions_stay_texts(html: LexborHTMLParser) -> None:
    heading, passage = html.css_first("article h3"), html.css("article li")[2]
    assert heading is not None
    assert HOSTILE in heading.text()
    assert passage.text().count(HOSTILE) == 2
    assert html.css("img") == []
    assert len(html.css("script")) == 2


def test_a_name_that_is_no_name_breaks_neither_page_nor_plot(report: EvaluationReport) -> None:
    name = "</script><b>evidence"
    runs = (replace(report.runs[0], name=name), report.runs[1])
    scores = {name: report.scores["evidence"], "dense": report.scores["dense"]}
    placed = tuple(
        replace(one, ranks={name: one.ranks["evidence"], "dense": one.ranks["dense"]}) for one in report.placed
    )
    renamed = replace(report, runs=runs, scores=scores, placed=placed)
    tree = content(renamed)
    html = LexborHTMLParser(page(tree, renamed))
    assert len(html.css("script")) == 2
    assert rows(html, "table-methods")[2][0] == name
    assert plots(tree, {})["plot-by-k"]["data"][0]["name"] == "&lt;/script&gt;&lt;b&gt;evidence"


def test_the_page_asks_for_nothing_and_forbids_itself_to(html: LexborHTMLParser) -> None:
    policy = html.css_first("meta[http-equiv=Content-Security-Policy]")
    assert policy is not None
    assert "default-src 'none'" in (policy.attributes["content"] or "")
    reached = [node.attributes.get(name) for name in ("src", "href", "action") for node in html.css(f"[{name}]")]
    assert reached == ["#comparisons"]
    assert html.css("link, iframe, object, embed") == []
    assert "@import" not in (html.html or "").partition("<script>")[0]


def test_the_plots_draw_the_figures(report: EvaluationReport) -> None:
    drawn = plots(content(report), {"evidence": {"q1": 0.004, "q2": 0.002}, "dense": {}})
    assert [(line["name"], line["x"], line["y"]) for line in drawn["plot-by-k"]["data"]] == [
        ("evidence", [1, 2], [75.0, 100.0]),
        ("dense", [1, 2], [50.0, 75.0]),
    ]
    assert drawn["plot-by-hops"]["data"][1]["x"] == ["1 hop", "2 hops"]
    assert drawn["plot-by-hops"]["data"][1]["y"] == [100.0, 50.0]
    (point,) = drawn["plot-differences"]["data"]
    assert (point["x"], point["error_x"]["array"], point["error_x"]["arrayminus"]) == ([25.0], [25.0], [12.5])
    (line,) = drawn["plot-latency"]["data"]
    assert (line["x"], line["y"]) == ([2.0, 4.0], [50.0, 100.0])


def test_without_gold_there_are_no_plots_of_it(report: EvaluationReport) -> None:
    bare = replace(
        report,
        questions=report.questions[2:],
        comparisons=(),
        placed=(),
        scores={name: replace(one, metrics={}, by_hops={}, by_kind={}, each={}) for name, one in report.scores.items()},
    )
    tree = content(bare)
    assert set(plots(tree, {run.name: run.seconds for run in bare.runs})) == {"plot-latency"}
    html = LexborHTMLParser(page(tree, bare))
    assert html.css("#comparisons, #by-hops, #questions, #plot-by-k") == []
    assert rows(html, "table-methods") == [["method"], [""], ["evidence"], ["dense"]]


def test_answers_without_gold_are_shown_without_recall(report: EvaluationReport) -> None:
    answered = {"em": 0.5, "f1": 0.75}
    scores = {name: replace(one, metrics=answered, by_hops={}, by_kind={}) for name, one in report.scores.items()}
    answers = replace(report, comparisons=(), placed=(), scores=scores)
    html = LexborHTMLParser(page(content(answers), answers))
    assert rows(html, "table-methods")[0] == ["method", "em", "f1"]
    assert rows(html, "table-methods")[2] == ["evidence", "50.0", "75.0"]
    assert html.css("#plot-by-k, #comparisons") == []


def test_without_plotly_the_figures_are_written_and_the_page_is_not(
    report: EvaluationReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    written, notes = write(report, tmp_path)
    assert [file.name for file in written] == ["report.json", "timings.json"]
    assert "pip install 'tetragraph[eval]'" in notes[0]
    assert not (tmp_path / "report.html").exists()


def test_a_report_that_cannot_be_written_leaves_none_of_an_earlier_one(
    report: EvaluationReport, tmp_path: Path
) -> None:
    write(report, tmp_path)
    (tmp_path / "timings.json").unlink()
    (tmp_path / "timings.json").mkdir()
    with pytest.raises(StoreError, match=rf"{tmp_path}: .*; .*set out \(--out\) to "):
        write(report, tmp_path)
    assert not (tmp_path / "report.json").exists()


@pytest.fixture(scope="module")
def stepped(report: EvaluationReport) -> EvaluationReport:
    """The first run as a search in two steps, whose queries are hostile."""
    step = RunStep(f"who {HOSTILE}", (Found("c", "tomas", "", 0, 9, 0.0),), 2, 1)
    run = replace(report.runs[0], trails={"q1": StepSequence("sufficient", (step, replace(step, anchors=5)))})
    means = {**report.scores["evidence"].metrics, "found@1": 0.5, "found@2": 0.75}
    return replace(
        report,
        runs=(run, report.runs[1]),
        scores={**report.scores, "evidence": replace(report.scores["evidence"], metrics=means)},
        stepping={
            "evidence": StepStatistics(
                1.5, {1: 1, 2: 1}, {"sufficient": 2}, {1: 0.0, 2: 0.25}, {1: 2, 2: 5}, {1: 1, 2: 1}
            )
        },
        usage={"evidence": Usage(3, 1, input_tokens=40, output_tokens=2, cost=0.5)},
    )


def test_steps_are_told_with_their_number_their_end_and_what_they_found(stepped: EvaluationReport) -> None:
    tree = content(stepped)
    html = LexborHTMLParser(page(tree, stepped))
    assert rows(html, "table-methods")[:3] == [
        ["method", "recall", "all", "mrr", "found"],
        ["", "@1", "@2", "@2", "", "@1", "@2"],
        ["evidence", "75.0", "100.0", "100.0", "100.0", "50.0", "75.0"],
    ]
    assert rows(html, "table-steps")[1:] == [["evidence", "1.50", "1", "1", "sufficient 2"]]
    assert rows(html, "table-steps-overlap") == [["read before, %", "1", "2"], ["evidence", "0.0", "25.0"]]
    assert rows(html, "table-steps-anchors")[1] == ["evidence", "2.0", "5.0"]
    assert rows(html, "table-cost")[1] == ["evidence", "3", "1", "40", "2", "0.5000"]
    (line,) = plots(tree, {})["plot-by-step"]["data"]
    assert (line["x"], line["y"]) == ([1, 2], [50.0, 75.0])
    run = tree["runs"][0]["stepping"]
    assert (run["ended"], run["overlap"]) == ({"1": 1, "2": 1}, {"1": 0.0, "2": 0.25})
    told = tree["questions"][0]["runs"]["evidence"]
    assert (told["stopped"], [step["anchors"] for step in told["steps"]]) == ("sufficient", [2, 5])


def test_queries_of_steps_stay_texts(stepped: EvaluationReport) -> None:
    html = LexborHTMLParser(page(content(stepped), stepped))
    assert [node.text() for node in html.css("article .step")] == [f"{number}. who {HOSTILE}" for number in (1, 2)]
    assert html.css("img") == []


def test_what_a_model_cost_is_beside_the_times_and_not_in_the_report(stepped: EvaluationReport, tmp_path: Path) -> None:
    write(stepped, tmp_path)
    assert "usage" not in (tmp_path / "report.json").read_text(encoding="utf-8")
    times = json.loads((tmp_path / "timings.json").read_text(encoding="utf-8"))
    assert times["usage"]["evidence"]["input_tokens"] == 40


def test_searches_in_one_step_have_no_page_of_steps(html: LexborHTMLParser) -> None:
    assert html.css("#steps, #cost, #plot-by-step") == []


def test_a_notebook_gets_the_means_the_main_comparison_and_a_bar_for_each_run(report: EvaluationReport) -> None:
    shown = report._repr_html_()
    columns = ("run", "recall@1", "recall@2", "all@2", "mrr")
    heads = "".join(f"<th>{one}</th>" for one in columns)
    assert shown.startswith(f"<table><caption>3 questions on world</caption><thead><tr>{heads}</tr>")
    assert "<td>dense</td><td>50.0%</td><td>75.0%</td><td>50.0%</td><td>75.0%</td>" in shown
    assert "recall@2: evidence against dense +25.0%, 95 % interval +12.5% to +50.0%: better" in shown
    assert "recall@1: " not in shown
    assert "<p>note: 1 of 3 questions has no gold</p><svg " in shown
    assert shown.count("<rect ") == 4
    without = replace(report, scores={"dense": Scores({"f1": 0.5}, {}, {}, {})}, comparisons=())._repr_html_()
    assert "<td>dense</td><td>50.0%</td>" in without
    assert "<svg " not in without
