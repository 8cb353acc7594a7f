"""The names of a corpus, and their places."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.dictionary import Dictionary, build_dictionary
from tetragraph.model import Chunk, content_id

SENTENCES = st.lists(
    st.sampled_from(["Ada Byron met Bob.", "We saw the bank.", "The Bank fell.", "New York grew in May.", "Bob left."]),
    min_size=1,
    max_size=4,
).map(" ".join)
PASSAGES = st.lists(st.tuples(st.sampled_from(["", "Bob", "Ada Byron (poet)", "Bank"]), SENTENCES), max_size=8)


def chunk(text: str, title: str = "", document_title: str | None = None) -> Chunk:
    document_title = title if document_title is None else document_title
    return Chunk(content_id(document_title, title, text), "d", title, document_title, text, 0, 0, len(text), 1)


def build(*chunks: Chunk) -> Dictionary:
    return build_dictionary(chunks, analyse_chunks(chunks))


def mentions(dictionary: Dictionary, row: int) -> dict[str, int]:
    here = dictionary.mention_row == row
    pairs = zip(dictionary.mention_entity[here].tolist(), dictionary.mention_count[here].tolist(), strict=True)
    return {dictionary.names[entity]: count for entity, count in pairs}


def described(dictionary: Dictionary, row: int) -> list[str]:
    return [dictionary.names[entity] for entity in dictionary.title_entity[dictionary.title_row == row].tolist()]


def test_a_title_is_an_entity_that_its_chunk_describes_and_others_mention() -> None:
    found = build(chunk("A poet.", "Ada Byron (poet)"), chunk("He met Ada Byron and ADA BYRON's aunt."))
    assert described(found, 0) == ["ada byron"]
    assert mentions(found, 1) == {"ada byron": 2}
    assert found.labels == ["Ada Byron"]


def test_heading_and_document_title_are_both_described() -> None:
    found = build(chunk("Text.", "Early life", "Ada Byron"))
    assert described(found, 0) == ["ada byron", "early life"]


def sections(*headings: str) -> list[Chunk]:
    """One chunk for each heading, each of a document of its own."""
    text = "The notes and the description follow. Hot Standby is on."
    return [
        Chunk(content_id(heading, str(number)), f"d{number}", heading, f"Page {number}", text, 0, 0, len(text), 1)
        for number, heading in enumerate(headings)
    ]


def test_a_heading_of_common_words_in_three_documents_is_no_entity() -> None:
    often = build(*sections("Notes", "Notes", "Notes", "Description"))
    assert "notes" not in often.names
    assert "description" in often.names
    assert "notes" in build(*sections("Notes", "Notes", "Description")).names


def test_a_name_as_the_heading_of_many_documents_is_an_entity() -> None:
    assert "hot standby" in build(*sections("Hot Standby", "Hot Standby", "Hot Standby")).names


def test_a_number_inside_a_heading_joins_no_words() -> None:
    found = build(*sections("Part II Item 2. Properties", "Item 3. Hot Standby"))
    assert {"part ii item 2 properties", "hot standby"} <= {*found.names}


def test_the_number_of_a_section_is_no_part_of_its_name() -> None:
    found = build(*sections("27.4. Hot Standby", "New Modules¶", "2. Notes"))
    assert {"hot standby", "new modules", "notes"} <= {*found.names}
    assert "27 4 hot standby" not in found.names


def test_a_title_keeps_its_number_and_stays_an_entity_however_many_documents_have_it() -> None:
    made = [Chunk(f"{n}", f"d{n}", "2. notes", "2. notes", "Some notes.", 0, 0, 11, 1) for n in range(3)]
    assert build(*made).names == ["2 notes"]


def test_a_chunk_does_not_mention_what_it_describes() -> None:
    found = build(chunk("The poet Ada Byron died.", "Ada Byron"))
    assert mentions(found, 0) == {}
    assert found.df.tolist() == [0]


def test_a_span_is_an_entity_from_its_second_chunk_on() -> None:
    first, second = chunk("They saw Mount Doom."), chunk("On Mount Doom they slept.")
    assert build(first, chunk("They slept. We saw Mount Doom. Mount Doom fell.")).names == ["mount doom"]
    assert build(first).names == []
    assert mentions(build(first, second), 1) == {"mount doom": 1}


def test_the_longest_name_is_mentioned_and_consumes_its_words() -> None:
    found = build(
        chunk("x", "New York"), chunk("x", "York"), chunk("x", "New York Times"), chunk("In the New York Times.")
    )
    assert mentions(found, 3) == {"new york times": 1}


def test_a_name_does_not_reach_across_sentences() -> None:
    found = build(chunk("x", "New York"), chunk("All was New. York was not."))
    assert mentions(found, 1) == {}


def test_a_mention_begins_with_a_capital() -> None:
    found = build(chunk("x", "Old Bank"), chunk("an old bank"), chunk("an Old bank"))
    assert mentions(found, 1) == {}
    assert mentions(found, 2) == {"old bank": 1}


def test_a_word_that_is_mostly_small_is_no_name_at_the_start_of_a_sentence() -> None:
    found = build(chunk("x", "Water"), chunk("Water is wet, for water is water."), chunk("The band Water sang."))
    assert mentions(found, 1) == {}
    assert mentions(found, 2) == {"water": 1}


def test_leading_stop_words_are_cut_from_spans() -> None:
    found = build(chunk("In Paris it rained."), chunk("The Paris of old."))
    assert found.names == ["paris"]


def test_the_readable_name_is_the_most_frequent_and_the_first_of_equals() -> None:
    found = build(chunk("To JEAN-LUC he said."), chunk("To Jean Luc he said."), chunk("To Jean Luc we said."))
    assert found.labels == ["Jean Luc"]
    found = build(chunk("To Jean-Luc he said."), chunk("To Jean Luc he said."))
    assert found.labels == ["Jean Luc"]


def test_no_chunk_and_no_capital_give_no_entity() -> None:
    assert build().names == []
    assert build(chunk("nothing here"), chunk("")).names == []


def test_a_title_without_letters_is_no_entity() -> None:
    assert build(chunk("x", "???")).names == []


def test_other_scripts_do_not_break_it() -> None:
    found = build(
        chunk("ベルリンはドイツの首都である。", "ベルリン"), chunk("Москва — столица."), chunk("Это и есть Москва.")
    )
    assert "москва" in found.names


def facts(chunks: list[Chunk], dictionary: Dictionary) -> tuple[object, ...]:
    """Everything the dictionary says, without rows."""
    pairs = {(chunks[row].id, name, n) for row in range(len(chunks)) for name, n in mentions(dictionary, row).items()}
    titles = {(chunks[row].id, name) for row in range(len(chunks)) for name in described(dictionary, row)}
    return dictionary.names, dictionary.labels, dictionary.df.tolist(), pairs, titles


@settings(max_examples=60)
@given(PASSAGES, PASSAGES, st.randoms(use_true_random=False))
def test_adding_and_removing_equal_a_fresh_build(
    kept: list[tuple[str, str]], others: list[tuple[str, str]], chance: random.Random
) -> None:
    chunks = [chunk(text, title) for title, text in dict.fromkeys(kept)]
    gone = [chunk(text, title) for title, text in dict.fromkeys(others) if (title, text) not in kept]
    before = [*chunks[: len(chunks) // 2], *gone]
    chance.shuffle(before)
    known = analyse_chunks(before).arrays()
    now = build_dictionary(chunks, analyse_chunks(chunks, known))
    assert facts(chunks, now) == facts(chunks, build(*chunks))


@settings(max_examples=60)
@given(PASSAGES, st.randoms(use_true_random=False))
def test_the_order_of_the_chunks_changes_nothing(passages: list[tuple[str, str]], chance: random.Random) -> None:
    chunks = [chunk(text, title) for title, text in dict.fromkeys(passages)]
    shuffled = chance.sample(chunks, len(chunks))
    assert facts(shuffled, build(*shuffled)) == facts(chunks, build(*chunks))


def test_df_counts_chunks_not_mentions() -> None:
    found = build(chunk("x", "Bob"), chunk("So Bob met Bob."), chunk("And Bob left."))
    np.testing.assert_array_equal(found.df, [2])


def test_without_capitals_titles_are_found_anywhere_and_shared_rare_words_are_names() -> None:
    others = [chunk(f"nobody ever saw the thing in place {number}.") for number in range(100)]
    found = build(chunk("a poet.", "ada byron"), chunk("he met ada byron in surrey."), chunk("surrey is old."), *others)
    assert mentions(found, 1) == {"ada byron": 1, "surrey": 1}
    assert mentions(found, 3) == {}


def test_without_capitals_a_frequent_word_is_no_name_though_it_is_a_title() -> None:
    others = [chunk(f"nobody ever saw the thing in place {number}.") for number in range(100)]
    found = build(chunk("it is old.", "thing"), chunk("x", "old thing"), chunk("an old thing, a thing."), *others)
    assert mentions(found, 2) == {"old thing": 1}
