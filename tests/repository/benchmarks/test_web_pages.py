"""Pages whose furniture is marked by hand, and figures of what is left out of them."""

from __future__ import annotations

import gzip
import hashlib
import json
from itertools import pairwise
from pathlib import Path

import pytest
from benchmarks.web_pages import marked, measure
from benchmarks.web_pages.marked import MARKS, TOPICS, read_marked

MENU = "\n".join(
    f"*   [{name}](https://a.test/{name})" for name in ("News", "Sport", "Video", "Travel", "Jobs", "Maps") * 2
)
STORY = "\n\n".join(
    f"In {year} the harbour of the town was built anew after a storm, in stone." for year in range(1880, 1890)
)
PAGE = f"# Harbour\n\n{MENU}\n\n{STORY}\n"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Marks of one page of each topic, all of the same text, whose menu is marked."""
    (tmp_path / "README.md").write_text("data", encoding="utf-8")
    for topic in TOPICS:
        (tmp_path / "wild" / topic).mkdir(parents=True)
        rows = [json.dumps({"id": f"{topic}/{name}", "text": PAGE}) for name in ("page", "other")]
        with gzip.open(tmp_path / "wild" / topic / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(rows))
    start = PAGE.index(MENU)
    mark: dict[str, object] = {
        "sha256": hashlib.sha256(PAGE.encode()).hexdigest()[:16],
        "furniture": [[start, start + len(MENU)]],
    }
    marks = {f"{topic}/page": mark for topic in TOPICS}
    monkeypatch.setattr(marked, "MARKS", tmp_path / "marks.json")
    (tmp_path / "marks.json").write_text(json.dumps(marks), encoding="utf-8")
    monkeypatch.setenv("TETRAGRAPH_DATA", str(tmp_path))
    return mark


def test_marks_are_offsets_in_pages_of_the_topics() -> None:
    marks = json.loads(MARKS.read_text(encoding="utf-8"))
    assert {page.split("/")[0] for page in marks} == {*TOPICS}
    assert all(start < end for mark in marks.values() for start, end in mark["furniture"])
    assert all(one[1] < other[0] for mark in marks.values() for one, other in pairwise(mark["furniture"]))


@pytest.mark.usefixtures("data")
def test_a_marked_page_has_its_lines_and_which_of_them_are_furniture() -> None:
    page = next(read_marked())
    assert (page.id, page.topic) == ("culture/page", "culture")
    assert page.is_furniture.sum() == len(MENU.splitlines())
    assert page.sizes[page.is_furniture].sum() == sum(map(str.isalpha, "NewsSportVideoTravelJobsMaps" * 2))
    assert page.documents[1] == 2
    assert (page.describe() != page.describe(alone=True)).any()


def test_another_text_than_the_marked_one_is_refused(data: dict[str, object]) -> None:
    marked.MARKS.write_text(json.dumps({"culture/page": {**data, "sha256": "0"}}), encoding="utf-8")
    with pytest.raises(ValueError, match="culture/page must be the page that was marked"):
        list(read_marked())


@pytest.mark.usefixtures("data")
def test_figures_compare_what_is_left_out_with_the_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marked.MarkedPage, "part", 0)
    figures = measure.measure_web_pages(None)  # type: ignore[arg-type]  # no part of it is used
    assert list(figures) == [*TOPICS, "all"]
    assert figures["all"]["pages"] == len(TOPICS)
    assert figures["all"]["furniture of what is indexed, %"] < figures["all"]["furniture, %"]
    assert figures["all"]["content kept, %"] == 100.0
