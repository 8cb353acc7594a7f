"""Results are stored as JSON and tables, and the pages of figures show the newest."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks import readme, report

RESULTS: dict[str, Any] = {
    "date": "2030-01-02",
    "machine": "a machine",
    "embedder": "a model",
    "latency": {"dense": {"1": {"p50_ms": 1.5, "per_s": 500.0}}, "fused": {"1": {"p50_ms": 2.5, "per_s": 1234.5}}},
    "repeated": {"a set": {"runs": 20}},
}


def test_parts_of_one_day_are_kept_together_and_measured_ones_replace_their_own(tmp_path: Path) -> None:
    report.write(RESULTS, tmp_path)
    report.write({"date": "2030-01-02", "repeated": {"a set": {"runs": 3}}}, tmp_path)
    assert report.newest(tmp_path) == {**RESULTS, "repeated": {"a set": {"runs": 3}}}


def test_a_part_that_another_machine_measured_on_the_same_day_says_so(tmp_path: Path) -> None:
    report.write(RESULTS, tmp_path)
    facts = {"date": RESULTS["date"], "machine": "another", "embedder": "a model"}
    report.write({**facts, "repeated": {"a set": {"runs": 3}}}, tmp_path)
    told = report.measured(report.newest(tmp_path))
    assert "a machine; `repeated` on 2030-01-02 on another; embedder" in told
    report.write({**facts, "machine": "a machine", "repeated": {"a set": {"runs": 4}}}, tmp_path)
    assert "another" not in report.measured(report.newest(tmp_path))


def test_the_newest_day_counts_and_other_files_do_not(tmp_path: Path) -> None:
    for day in ("2030-01-02", "2029-12-31"):
        report.write({**RESULTS, "date": day}, tmp_path)
    (tmp_path / "2031-01-01-other.json").write_text("{}", encoding="utf-8")
    assert report.newest(tmp_path)["date"] == "2030-01-02"


def test_what_was_not_measured_again_is_that_of_an_earlier_day_and_says_so(tmp_path: Path) -> None:
    repeated, older = {"a set": {"runs": 3}}, {"a set": {"runs": 1}}
    report.write({**RESULTS, "date": "2029-12-30", "machine": "another", "growth": older, "engines": older}, tmp_path)
    report.write({**RESULTS, "date": "2029-12-31"}, tmp_path)
    report.write(
        {**{name: RESULTS[name] for name in ("machine", "embedder")}, "date": "2030-01-02", "repeated": repeated},
        tmp_path,
    )
    found = report.newest(tmp_path)
    of_growth = {"growth": older, "day of growth": "2029-12-30", "machine of growth": "another"}
    of_engines = {"engines": older, "day of engines": "2029-12-30", "machine of engines": "another"}
    assert found == {**RESULTS, "repeated": repeated, "day of latency": "2029-12-31", **of_growth, **of_engines}
    told = "a machine; `latency` on 2029-12-31; `growth`, `engines` on 2029-12-30 on another; embedder a model."
    assert report.measured(found) == f"Measured on 2030-01-02: {told}"
    assert report.measured(found, ["repeated"]) == "Measured on 2030-01-02: a machine; embedder a model."


def test_figures_of_another_embedder_are_left_out(tmp_path: Path) -> None:
    report.write({**RESULTS, "date": "2030-01-01", "embedder": "another", "growth": {}}, tmp_path)
    report.write(RESULTS, tmp_path)
    assert report.newest(tmp_path) == RESULTS


def test_a_part_that_the_last_machine_measured_again_is_no_longer_that_of_another(tmp_path: Path) -> None:
    papers = {"tree": {"rows": 3}}
    report.write({"date": "2030-01-01", "machine": "another", "embedder": "a model", "papers": papers}, tmp_path)
    report.write({**RESULTS, "papers": papers}, tmp_path)
    assert report.newest(tmp_path) == {**RESULTS, "papers": papers}


def test_rows_with_the_same_figures_share_a_table(tmp_path: Path) -> None:
    tables = report.write(RESULTS, tmp_path)
    assert (tmp_path / "2030-01-02.md").read_text(encoding="utf-8") == tables
    assert "Measured on 2030-01-02: a machine; embedder a model." in tables
    assert (
        "\n|  | p50 ms | per s |\n| --- | --- | --- |\n| dense, 1 | 1.5 | 500 |\n| fused, 1 | 2.5 | 1,234 |\n" in tables
    )
    assert "\n## repeated\n\n|  | runs |\n" in tables


def test_every_result_file_has_its_tables_beside_it() -> None:
    files = [file for file in report.FOLDER.glob("*.json") if re.fullmatch(r"\d{4}-\d\d-\d\d", file.stem)]
    assert files
    for file in files:
        results = json.loads(file.read_text(encoding="utf-8"))
        assert file.with_suffix(".md").read_text(encoding="utf-8") == report.markdown(results), file.name


@pytest.mark.parametrize("page", readme.PAGES, ids=lambda page: page.name)
def test_a_page_with_figures_shows_the_newest_results(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert readme.fill(text, report.newest()) == text, "run `python -m benchmarks readme`"


def test_no_other_page_has_figures_that_nobody_fills() -> None:
    folder = Path(readme.__file__).parents[1] / "docs"
    marked = {page for page in folder.rglob("*.md") if "<!-- figures: " in page.read_text(encoding="utf-8")}
    assert marked == {page for page in readme.PAGES if page.parent == folder}


def test_every_table_of_figures_is_on_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in readme.PAGES)
    assert set(re.findall(r"<!-- figures: (\w+) -->", text)) == set(readme.TABLES)


def test_the_summary_has_recall_and_latency_of_the_defaults_of_each_method() -> None:
    methods = {"evidence": "evidence, engine memory", "gain": "gain, engine gds"} | {
        name: name for name in ("tree", "bipartite", "fused", "dense", "keyword")
    }
    results = {
        "date": "2030-01-02",
        "machine": "a machine",
        "embedder": "a model",
        "recall": {f"a set, {name}": {"R@5": 60.0 + place} for place, name in enumerate(methods)},
        "latency": {name: {"1": {"p50_ms": 4.25}} for name in methods.values()},
    }
    lines = readme.summary(results)
    assert lines[0] == "|  | a set | p50, ms |"
    assert lines[2:4] == ["| `evidence` | 60.0 | 4.25 |", "| `gain` | 61.0 | 4.25 |"]
    assert lines[-1] == "Measured on 2030-01-02: a machine; embedder a model."


def test_a_block_is_written_anew_and_the_text_around_it_stays() -> None:
    begin, end = "<!-- figures: machine -->\n", "<!-- end of figures -->"
    filled = readme.fill(f"before\n{begin}old\n{end}\nafter\n", RESULTS)
    assert filled == f"before\n{begin}\n{report.measured(RESULTS)} MB are 10⁶ bytes.\n\n{end}\nafter\n"
    assert readme.fill(filled, RESULTS) == filled


def test_the_block_of_a_part_that_was_not_measured_is_empty() -> None:
    begin, end = "<!-- figures: growth -->\n", "<!-- end of figures -->"
    assert readme.fill(f"{begin}old\n{end}", RESULTS) == f"{begin}\n{end}"


def test_a_marker_must_name_a_table() -> None:
    with pytest.raises(KeyError):
        readme.fill("<!-- figures: nothing -->\n<!-- end of figures -->", {**RESULTS, "nothing": {}})


def test_growth_shows_index_time_memory_and_the_median_search_of_each_method() -> None:
    row = {"1000": 1.0, "10000": 10.0, "exponent": 1.0}
    index = {f"total, {figure}": row for figure in ("s", "python_mb", "neo4j_mb")}
    search = {"dense, p50_ms": row, "dense, p95_ms": row, "all, python_mb": row}
    lines = readme.growth({"growth": {"index": index, "search": search}})
    assert lines[0] == "|  | 1,000 passages | 10,000 passages | grows with n to the |"
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        "| index, s",
        "| index, Python's peak, MB",
        "| index, Neo4j's peak, MB",
        "| dense, p50 in ms",
        "| search, Python's peak with all methods, MB",
    ]


def test_the_best_recall_of_a_set_is_bold_and_rows_that_are_gone_are_not_shown() -> None:
    results = {
        "recall": {
            "a, gain": {"R@2": 0.5, "R@5": 1.0, "R@10": 2.0},
            "a, dense": {"R@2": 2.0, "R@5": 3.0, "R@10": 4.0},
            "a, dropped": {"R@2": 5.0, "R@5": 6.0, "R@10": 7.0},
        }
    }
    assert readme.recall(results)[2:] == ["| `gain` | 0.5 / 1.0 / 2.0 |", "| `dense` | **2.0 / 3.0 / 4.0** |"]
