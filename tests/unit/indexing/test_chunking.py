"""Chunks have exact offsets, fit the budget, respect headings, and are split no more than necessary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.errors import InvalidInput
from tetragraph.indexing.chunking import CountTokens, split, split_many
from tetragraph.model import Chunk, Document, Heading, Page, content_id

WORDS = ["Bee", "ant", "of the", "Dr. Who", "z. B.", "国王", "是。", "🙂", "👩‍👩‍👧", "x" * 30, "1.5", "\u00a0"]
GAPS = [" ", " ", " ", ". ", "! ", "\n", "\n\n", "\n \n\n", "\r", "\t"]


def count_like_bert(texts: Sequence[str]) -> list[int]:
    """Words of up to four letters, each other mark alone: additive at whitespace, like WordPiece."""
    return [len(re.findall(r"[A-Za-z]{1,4}|[^\sA-Za-z]", text)) for text in texts]


def count_letters(texts: Sequence[str]) -> list[int]:
    """Whitespace counts too, so a text has more tokens than its parts."""
    return [len(text) for text in texts]


def count_dearer_together(texts: Sequence[str]) -> list[int]:
    """A tokenizer that needs more for a text than for its sentences one by one."""
    return [bert + text.count(". ") for bert, text in zip(count_like_bert(texts), texts, strict=True)]


def passages(chunks: Sequence[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks]


def cut(text: str, max_tokens: int, *, title: str = "", headings: Sequence[Heading] = ()) -> list[Chunk]:
    document = Document("d", title, text, headings=tuple(headings))
    return split(document, max_tokens=max_tokens, count_tokens=count_like_bert)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    parts = draw(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), max_size=40))
    text = draw(st.sampled_from(["", " ", "\n\n"])) + "".join(word + gap for word, gap in parts)
    starts = draw(st.lists(st.integers(0, len(text)), max_size=4, unique=True).map(sorted))
    headings = tuple(Heading(start, 1, draw(st.sampled_from(["H", "A longer heading"]))) for start in starts)
    return Document("d", draw(st.sampled_from(["", "Title"])), text, headings=headings)


budgets = st.integers(4, 40)


def test_a_chunk_has_the_headings_above_it_and_the_part_of_the_file() -> None:
    text = "Lead.\n\nSea\n\nTides\n\nNoon.\n\nLand\n\nClay."
    headings = (Heading(7, 1, "Sea"), Heading(12, 3, "Tides"), Heading(26, 1, "Land"))
    pages = (Page(0, 1, "slide 1"), Page(26, 2))
    chunks = split(Document("d", "T", text, headings=headings, pages=pages), max_tokens=9, count_tokens=count_like_bert)
    assert [(chunk.section, chunk.page, chunk.location) for chunk in chunks] == [
        ("", 1, "slide 1"),
        ("Sea", 1, "slide 1"),
        ("Sea › Tides", 1, "slide 1"),
        ("Land", 2, ""),
    ]


@given(documents(), budgets)
def test_offsets_are_exact_in_order_and_cover_everything_but_whitespace(document: Document, max_tokens: int) -> None:
    end = 0
    for position, chunk in enumerate(split(document, max_tokens=max_tokens, count_tokens=count_like_bert)):
        assert chunk.position == position
        assert chunk.start >= end
        assert not document.text[end : chunk.start].strip()
        assert document.text[chunk.start : chunk.end] == chunk.text
        assert chunk.text.strip()
        end = chunk.end
    assert not document.text[end:].strip()


@given(documents(), budgets, st.sampled_from([count_like_bert, count_letters, count_dearer_together]))
def test_passages_fit_the_budget_with_titles_counted_as_half_of_it_at_most(
    document: Document, max_tokens: int, count_tokens: CountTokens
) -> None:
    for chunk in split(document, max_tokens=max_tokens, count_tokens=count_tokens):
        assert chunk.tokens == count_tokens([chunk.passage])[0]
        titles = len(chunk.passage) - len(chunk.text)
        lead = count_tokens([chunk.passage[:titles]])[0]
        assert chunk.tokens <= max(max_tokens, lead + max_tokens - max_tokens // 2)


@given(documents(), budgets)
def test_no_chunk_crosses_a_heading_and_each_bears_the_nearest_one(document: Document, max_tokens: int) -> None:
    for chunk in split(document, max_tokens=max_tokens, count_tokens=count_like_bert):
        above = [heading for heading in document.headings if heading.start <= chunk.start]
        assert not [
            h for h in document.headings if chunk.start < h.start < chunk.end and document.text[h.start : chunk.end]
        ]
        assert chunk.title == (above[-1].title if above else document.title)


@given(documents(), budgets)
def test_neighbours_under_one_heading_never_fit_together(document: Document, max_tokens: int) -> None:
    plain = Document("d", "", document.text)
    for left, right in pairwise(split(plain, max_tokens=max_tokens, count_tokens=count_like_bert)):
        assert count_like_bert([document.text[left.start : right.end]])[0] > max_tokens


@given(documents(), budgets)
def test_a_document_without_headings_that_fits_is_one_chunk_as_it_is(document: Document, max_tokens: int) -> None:
    plain = Document("d", document.title, document.text)
    chunks = split(plain, max_tokens=max_tokens, count_tokens=count_like_bert)
    whole = Chunk("", "d", plain.title, plain.title, plain.text, 0, 0, len(plain.text), 0)
    if plain.text.strip() and count_like_bert([whole.passage])[0] <= max_tokens:
        assert passages(chunks) == [plain.text]


@given(st.lists(documents(), max_size=5), budgets)
def test_a_batch_gives_what_its_documents_give_alone(batch: list[Document], max_tokens: int) -> None:
    together = split_many(batch, max_tokens=max_tokens, count_tokens=count_like_bert)
    assert together == [split(one, max_tokens=max_tokens, count_tokens=count_like_bert) for one in batch]


def test_a_batch_of_short_documents_costs_one_call_of_the_tokenizer() -> None:
    calls: list[int] = []

    def counting(texts: Sequence[str]) -> list[int]:
        calls.append(len(texts))
        return count_like_bert(texts)

    split_many([Document(str(i), "T", "Short text.") for i in range(50)], max_tokens=32, count_tokens=counting)
    assert calls == [50]


def test_a_text_is_cut_between_paragraphs_where_they_fit() -> None:
    chunks = cut("One two three.\n\nFour five. Six ten.\n\nEnd.", max_tokens=7)
    assert passages(chunks) == ["One two three.", "Four five. Six ten.", "End."]


def test_a_paragraph_that_does_not_fit_is_cut_between_sentences() -> None:
    assert passages(cut("One two. Ten six. Red tea. Low sun.", max_tokens=6)) == [
        "One two. Ten six.",
        "Red tea. Low sun.",
    ]


def test_a_sentence_that_does_not_fit_is_cut_between_words() -> None:
    assert passages(cut("one two six ten red tea", max_tokens=4)) == ["one two six ten", "red tea"]


def test_a_german_abbreviation_does_not_lose_text() -> None:
    chunks = cut("Das gilt z. B. am 3. Mai. Danach ist Ruhe im Haus.", max_tokens=10)
    assert " ".join(passages(chunks)) == "Das gilt z. B. am 3. Mai. Danach ist Ruhe im Haus."


def test_chinese_without_spaces_is_cut_after_its_sentence_marks() -> None:
    assert passages(cut("这是第一句。这是第二句！好吗？", max_tokens=9)) == ["这是第一句。", "这是第二句！好吗？"]


def test_a_sentence_of_several_lines_is_cut_between_lines() -> None:
    rows = ["Hives 12 (13) 14", "Swarms kept 2 3 4", "Other — (1) 5 (18)", "Wax (per hive) (7) (8)"]
    assert passages(cut("\n".join(rows), max_tokens=23)) == ["\n".join(rows[:2]), "\n".join(rows[2:])]


def test_a_word_that_does_not_fit_is_cut_into_full_pieces() -> None:
    chunks = cut("x" * 100, max_tokens=6)
    assert "".join(passages(chunks)) == "x" * 100
    assert [chunk.tokens for chunk in chunks[:-1]] == [6] * (len(chunks) - 1)


def test_chinese_without_any_mark_is_cut_between_characters() -> None:
    assert passages(cut("国" * 10, max_tokens=4)) == ["国" * 4, "国" * 4, "国" * 2]


def test_emoji_have_true_offsets() -> None:
    chunks = cut("🙂🙂 one. 🙂 two.", max_tokens=5)
    assert [(chunk.start, chunk.end, chunk.text) for chunk in chunks] == [(0, 7, "🙂🙂 one."), (8, 14, "🙂 two.")]


@pytest.mark.parametrize("text", ["", " ", "\n\n\t"])
def test_a_text_without_words_has_no_chunk(text: str) -> None:
    assert cut(text, max_tokens=8) == []


def test_a_document_of_headings_alone_has_one_chunk_for_each() -> None:
    headings = [Heading(0, 1, "A"), Heading(5, 2, "B")]
    chunks = cut("# A\n\n## B\n", max_tokens=8, headings=headings)
    assert [(chunk.title, chunk.text) for chunk in chunks] == [("A", "# A"), ("B", "## B")]


def test_text_before_the_first_heading_bears_the_title_of_the_document() -> None:
    chunks = cut("Intro.\nHead\nBody.", max_tokens=9, title="Book", headings=[Heading(7, 1, "Head")])
    assert [chunk.passage for chunk in chunks] == ["Book. Intro.", "Book: Head. Head\nBody."]


def test_a_title_longer_than_half_the_budget_leaves_the_other_half_to_the_text() -> None:
    chunks = cut("one two six ten red tea", max_tokens=4, title="a very long and windy title")
    assert passages(chunks) == ["one two", "six ten", "red tea"]


def test_words_far_apart_stay_in_one_chunk() -> None:
    assert passages(cut("  one" + " " * 500 + "two\n", max_tokens=4)) == ["one" + " " * 500 + "two"]


def test_a_text_that_is_too_long_by_its_characters_is_never_counted_whole() -> None:
    lengths: list[int] = []

    def recording(texts: Sequence[str]) -> list[int]:
        lengths.extend(len(text) for text in texts)
        return count_like_bert(texts)

    split(Document("d", "", "One two six. " * 1000), max_tokens=8, count_tokens=recording)
    assert max(lengths) <= 8 * 16


def test_ids_depend_on_document_position_title_and_text() -> None:
    first, second = cut("one two six", max_tokens=2, title="")
    assert (first.id, second.id) == (content_id("d", "0", "", "one two"), content_id("d", "1", "", "six"))


def test_chunks_carry_the_metadata_of_their_document() -> None:
    document = Document("d", "T", "Text.", metadata={"year": 2024})
    (chunk,) = split(document, max_tokens=8, count_tokens=count_like_bert)
    assert (chunk.metadata, chunk.document_title, chunk.tokens) == ({"year": 2024}, "T", 4)


def test_a_chunk_ends_with_its_page() -> None:
    text = "One two. Six ten. Red tea."
    pages = tuple(Page(text.index(word), number) for number, word in enumerate(("Six", "Six", "tea"), start=2))
    chunks = split(Document("d", "", text, pages=pages), max_tokens=3, count_tokens=count_like_bert)
    assert [(chunk.text, chunk.page) for chunk in chunks] == [
        ("One two.", None),
        ("Six ten.", 3),
        ("Red", 3),
        ("tea.", 4),
    ]


def test_a_page_goes_on_under_the_heading_of_the_page_before() -> None:
    text = "Bees One two. Six ten."
    headings = (Heading(text.index("Bees"), 1, "Bees"),)
    pages = (Page(0, 1), Page(text.index("Six"), 2))
    chunks = split(Document("d", "", text, headings=headings, pages=pages), max_tokens=9, count_tokens=count_like_bert)
    assert [(chunk.text, chunk.title, chunk.page) for chunk in chunks] == [
        ("Bees One two.", "Bees", 1),
        ("Six ten.", "Bees", 2),
    ]


def test_parts_with_a_label_may_share_a_chunk() -> None:
    text = "One two. Six ten. Red tea."
    cells = tuple(Page(text.index(word), number, f"cell {number}") for number, word in ((1, "One"), (2, "Six")))
    (chunk,) = split(Document("d", "", text, pages=cells), max_tokens=20, count_tokens=count_like_bert)
    assert (chunk.text, chunk.page, chunk.location) == (text, 1, "cell 1")


def test_chunks_of_a_document_without_a_title_know_that_its_file_named_it() -> None:
    document = Document("d", "my file", "Text.", named_by_file=True)
    (chunk,) = split(document, max_tokens=8, count_tokens=count_like_bert)
    assert (chunk.title, chunk.own_titles) == ("my file", ())


def test_a_budget_below_one_token_is_refused() -> None:
    with pytest.raises(InvalidInput, match="max_tokens must be at least 1, got 0"):
        cut("Text.", max_tokens=0)
