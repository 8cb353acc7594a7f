"""Lines that many text files have are found, and left out in runs."""

from __future__ import annotations

import pytest

from saved_pages import MENU as LINKS
from saved_pages import STORY
from tetragraph import Document
from tetragraph.errors import InvalidInput
from tetragraph.indexing import furniture
from tetragraph.indexing.chunking import split
from tetragraph.indexing.furniture import LEAST_DOCUMENTS, leave_out, line_key
from tetragraph.model import Unreadable
from tetragraph.model.reading import ReadingOptions

MENU = "* [Home](https://a.test/)\n* [News](https://a.test/news)\n\n* [Boats](https://a.test/boats)\n"
NOTICE = "We use cookies to show you what other readers of this site have bought lately."


def page(number: int, *, before: str = MENU, after: str = "", name: str = "") -> Document:
    text = f"{before}\n# Harbour {number}\n\nStory {number} of the harbour tells of storms and boats.\n{after}"
    source = name or f"docs/{number}.md"
    return Document(source, "", text, source=source, origin=f"/{source}")


def pages(count: int = LEAST_DOCUMENTS, **parts: str) -> list[Document]:
    return [page(number, **parts) for number in range(count)]


def left_out(documents: list[Document], remembered: set[str] | None = None) -> list[list[str]]:
    """Texts that are left out of each document."""
    found = leave_out(documents, set() if remembered is None else remembered)
    marked = {one.id: one for one in found if isinstance(one, Document)}
    return [[one.text[start:end] for start, end in marked[one.id].left_out] for one in documents]


def test_links_that_five_documents_have_are_left_out_of_all() -> None:
    assert left_out(pages()) == [[MENU.rstrip("\n")]] * LEAST_DOCUMENTS
    assert left_out(pages(LEAST_DOCUMENTS - 1)) == [[]] * (LEAST_DOCUMENTS - 1)


def test_the_targets_of_links_may_differ() -> None:
    documents = [page(number, before=MENU.replace("a.test", f"site{number}.test")) for number in range(LEAST_DOCUMENTS)]
    assert all(left_out(documents))


def test_short_lines_stay_in_the_first_document() -> None:
    footer = "Halvik Ferries Ltd\nOld Port 3\nPhone 55 12"
    assert left_out(pages(before="", after=footer)) == [[], *[[footer]] * (LEAST_DOCUMENTS - 1)]


def test_notices_are_furniture_and_other_prose_is_none() -> None:
    found = left_out(pages(before="", after=f"Share\n{NOTICE}\nComments"))
    assert found == [[], *[[f"Share\n{NOTICE}\nComments"]] * (LEAST_DOCUMENTS - 1)]
    clause = "The liability of the company is limited to the price of the ticket in all cases."
    assert left_out(pages(before="", after=f"Share\n{clause}\nComments")) == [[]] * LEAST_DOCUMENTS


@pytest.mark.parametrize("lines", ["Share\nComments", "| a | b |\n| - | - |\n| 1 | 2 |", "1\n2\n3", "---\n===\n***"])
def test_few_lines_rows_of_tables_numbers_and_decoration_are_no_run(lines: str) -> None:
    assert left_out(pages(before="", after=lines)) == [[]] * LEAST_DOCUMENTS


def test_links_of_one_page_are_left_out_with_those_around_them() -> None:
    documents = [
        page(number, before=MENU.replace("\n\n", f"\n* [Only {number}](https://a.test/{number})\n"))
        for number in range(LEAST_DOCUMENTS)
    ]
    assert all(f"Only {number}" in found[0] for number, found in enumerate(left_out(documents)))


def test_what_is_remembered_is_left_out_of_a_single_document() -> None:
    remembered: set[str] = set()
    left_out(pages(), remembered)
    assert remembered == {line_key(words) for words in ("Home", "News", "Boats")}
    assert left_out([page(9)], remembered) == [[MENU.rstrip("\n")]]
    assert left_out([page(9)]) == [[]]


def test_the_same_documents_read_again_have_the_same_left_out() -> None:
    footer = "Halvik Ferries Ltd\nOld Port 3\nPhone 55 12"
    remembered: set[str] = set()
    first = left_out(pages(after=footer), remembered)
    kept = {*remembered}
    assert left_out(pages(after=footer), remembered) == first
    assert remembered == kept


def test_a_corpus_remembers_only_so_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(furniture, "MOST_REMEMBERED", 2)
    remembered: set[str] = set()
    left_out(pages(), remembered)
    assert len(remembered) == 2


def test_windows_bound_what_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(furniture, "WINDOW_DOCUMENTS", 5)
    assert left_out(pages(6)) == [[MENU.rstrip("\n")]] * 6, "the sixth by what is remembered"
    monkeypatch.setattr(furniture, "WINDOW_CHARACTERS", 10)
    assert left_out(pages(6)) == [[]] * 6


@pytest.mark.parametrize("name", ["code.py", "rows.jsonl:3", "report.pdf"])
def test_other_formats_and_documents_of_the_caller_pass_through(name: str) -> None:
    documents = [page(number, name=f"docs/{number}-{name}") for number in range(LEAST_DOCUMENTS)]
    assert left_out(documents) == [[]] * LEAST_DOCUMENTS
    own = [Document(f"{number}.md", "", MENU, source=f"{number}.md") for number in range(LEAST_DOCUMENTS)]
    broken = Unreadable("a", "b")
    assert list(leave_out([*own, broken], set())) == [*own, broken]


def saved_page(text: str = f"# The harbour\n\n{LINKS}\n\n{STORY}\n", name: str = "page.md") -> Document:
    return Document(name, "", text, source=name, origin=f"/{name}")


def test_the_navigation_of_a_single_saved_page_is_left_out() -> None:
    assert left_out([saved_page()]) == [[LINKS.removeprefix(f"{LINKS.splitlines()[0]}\n")]]


@pytest.mark.parametrize(
    "page",
    [
        saved_page(name="page.html"),
        saved_page(f"{LINKS}\n\n# The harbour\n\n```\ncode\n```\n\n{STORY}\n"),
        saved_page(LINKS.replace("https://a.test/", "pages/") + f"\n\n{STORY}"),
        saved_page(f"{LINKS[: len(LINKS) // 2]}\n\n{STORY}"),
    ],
    ids=["of a format whose main text is read", "with fenced code", "with links to files", "with few links"],
)
def test_other_documents_are_no_saved_pages(page: Document) -> None:
    assert left_out([page]) == [[]]


def test_what_many_pages_have_and_what_is_judged_are_left_out_once() -> None:
    texts = [f"{LINKS}\n\n# Harbour {number}\n\n{STORY}" for number in range(LEAST_DOCUMENTS)]
    found = left_out([saved_page(text, f"{number}.md") for number, text in enumerate(texts)])
    assert found == [[LINKS]] * LEAST_DOCUMENTS


def test_a_document_of_furniture_alone_stays_whole() -> None:
    menu = Document("docs/menu.md", "", MENU, source="docs/menu.md", origin="/docs/menu.md")
    assert left_out([*pages(), menu])[-1] == []


def test_chunks_are_cut_around_what_is_left_out() -> None:
    marked = [one for one in leave_out(pages(after=MENU), set()) if isinstance(one, Document)]
    (chunk,) = split(marked[0], max_tokens=100, count_tokens=lambda texts: [len(text.split()) for text in texts])
    assert chunk.text == "# Harbour 0\n\nStory 0 of the harbour tells of storms and boats."
    assert marked[0].text[chunk.start : chunk.end] == chunk.text
    assert marked[0].sha256 == pages(after=MENU)[0].sha256


def test_the_option_has_two_values() -> None:
    with pytest.raises(InvalidInput, match="boilerplate must be leave-out or keep, got 'off'"):
        ReadingOptions(boilerplate="off")  # type: ignore[arg-type]  # what a caller may pass
