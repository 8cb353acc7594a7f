"""Front matter of Markdown files: its forms of values, and what is no front matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.model import Document
from tetragraph_loaders import markdown
from tetragraph_loaders.front_matter import NOT_UNDERSTOOD, split_front_matter


def read(folder: Path, text: str) -> Document:
    (folder / "my_file.md").write_text(text, encoding="utf-8")
    (document,) = markdown.load(folder / "my_file.md", id_prefix="my_file.md")
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize(
    ("lines", "values"),
    [
        ("date created: Monday, March 4th 2024", {"date created": "Monday, March 4th 2024"}),
        ("\"title\": x\n'team': y", {"title": "x", "team": "y"}),
        ("title : x", {"title": "x"}),
        ('tags: [\n  "alpha",\n  beta, # the second\n]\nyear: 2024', {"tags": ["alpha", "beta"], "year": 2024}),
        ("tags: [a, b] # two", {"tags": ["a", "b"]}),
        ("tags: [a,\n[b]]", {}),
        ("tags: [a\nyear: 2024", {"year": 2024}),
        ("tags: # two\n- a # first\n- 'b # c'", {"tags": ["a", "b # c"]}),
        ("about: >-\n  One\n  two\n\n  three\nyear: 1", {"about": "One two\n\nthree", "year": 1}),
        ("about: |\n  One\n    two\n", {"about": "One\n  two"}),
        ("about: >\nyear: 1", {"year": 1}),
        ("year: 2024 # the year", {"year": 2024}),
        ("name: 'a # b' # c", {"name": "a # b"}),
        ("about: Issue #5", {"about": "Issue #5"}),
        ("name: 'It''s Ida'", {"name": "It's Ida"}),
        (r'name: "a \"b\" \xe9\u00fc \n"', {"name": r'a "b" éü \n'}),
        ("a: ~\nb: null\nc: 1", {"c": 1}),
        ("date: 2024-03-04", {"date": "2024-03-04"}),
    ],
)
def test_a_value_is_read_in_each_of_its_forms(lines: str, values: dict[str, object]) -> None:
    found = split_front_matter(f"---\n{lines}\n---\nText")
    assert (found.values, found.text, found.note) == (values, "Text", "")


def test_blank_lines_may_precede_front_matter() -> None:
    assert split_front_matter("\n \n---\nyear: 1\n---\nText").text == "Text"


def test_a_line_that_is_not_understood_is_left_out_with_a_note(tmp_path: Path) -> None:
    document = read(tmp_path, "---\ntitle: Bees\nno pair here\ntags: [a]\n---\n# H\n")
    assert (document.title, document.text, document.metadata) == ("Bees", "# H\n", {"tags": ["a"]})
    assert document.notes == (NOT_UNDERSTOOD,)


@pytest.mark.parametrize("lines", ["no pair here\ntitle: Bees\ntags: [a]", "Note: this\nis a text\nbetween lines"])
def test_text_between_two_lines_is_no_front_matter(lines: str) -> None:
    text = f"---\n{lines}\n---\nText"
    assert split_front_matter(text).text == text


@pytest.mark.parametrize(
    ("title", "expected"),
    [("[Draft]", "Draft"), ("[a, b]", "a, b"), (">\n  A long\n  title", "A long title"), ("|\n  a\n  b", "a b")],
)
def test_a_title_is_one_line(tmp_path: Path, title: str, expected: str) -> None:
    assert read(tmp_path, f"---\ntitle: {title}\n---\nText").title == expected


def test_a_title_without_a_value_is_none(tmp_path: Path) -> None:
    assert read(tmp_path, "---\ntitle: ~\n---\n# Bees\n").title == "Bees"


def test_front_matter_may_be_toml(tmp_path: Path) -> None:
    lines = ["+++", 'title = "Bees"', "date = 2024-03-04T05:06:07Z", "day = 2024-03-04", 'tags = ["a", 1]', "n = [[1]]"]
    lines += [
        "big = 99999999999999999999",
        "inf = inf",
        "half = 0.5",
        "draft = true",
        "[deep]",
        "x = 1",
        "+++",
        "# H\n",
    ]
    document = read(tmp_path, "\n".join(lines))
    assert (document.title, document.text) == ("Bees", "# H\n")
    assert document.metadata == {
        "date": "2024-03-04T05:06:07+00:00",
        "day": "2024-03-04",
        "tags": ["a", "1"],
        "big": "99999999999999999999",
        "inf": "inf",
        "half": 0.5,
        "draft": True,
    }


def test_lines_of_plus_signs_around_a_text_stay(tmp_path: Path) -> None:
    text = "+++\nA text\n+++\n"
    assert read(tmp_path, text).text == text
