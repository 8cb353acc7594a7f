"""The evidence walk from question to hits, on an index of a few chunks."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from entity_state import describe
from tetragraph.arrays import Vectors
from tetragraph.errors import InvalidInput
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.dictionary import build_dictionary
from tetragraph.model import Chunk, Hit, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArrayCache, ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk import EvidenceOptions, explain
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.index_arrays import pack
from tetragraph.systems.evidence_walk.search import find

PASSAGES = [
    ("Silver Harbour", "Silver Harbour is a novel by Ada Byron about a storm."),
    ("Ada Byron", "Ada Byron was a writer. She married Carl Dorn in May."),
    ("Carl Dorn", "Carl Dorn was a physician from Ghent who collected clocks."),
    ("Ghent", "Ghent is a city with three rivers."),
    ("Storms", "A storm at sea can sink a ship and ruin a harbour."),
    ("Novels", "A novel tells a long story about people."),
]
ASKED = "Whom did the author of Silver Harbour marry?"


def chunks(passages: Sequence[tuple[str, str]] = PASSAGES) -> list[Chunk]:
    made = [Chunk(content_id(title, text), title, title, title, text, 0, 0, len(text), 1) for title, text in passages]
    return sorted(made, key=lambda chunk: chunk.id)


def vectors(count: int) -> Vectors:
    """Random directions, all at right angles to the question's: words and entities have to find the way."""
    made = np.random.default_rng(7).normal(size=(count, 8)).astype(np.float32)
    made[:, 0] = 0.0
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def make_index(found: Sequence[Chunk]) -> EvidenceIndex:
    made = vectors(len(found))
    table = ChunkTable(ArraySet(chunk_table.pack(found, made)))
    return EvidenceIndex(table, ArraySet(pack(found, table, analyse_chunks(found))))


def ask(index: EvidenceIndex, text: str, k: int = 10, allowed: set[str] | None = None) -> list[Hit]:
    vector = np.zeros(8, dtype=np.float32)
    vector[0] = 1.0
    return list(find(index, Question(text, vector, lambda _: vector), k, EvidenceOptions(), allowed).hits)


@pytest.fixture(scope="module")
def index() -> EvidenceIndex:
    return make_index(chunks())


def titles(hits: Sequence[Hit]) -> list[str]:
    return [hit.chunk.title for hit in hits]


def test_the_chain_of_entities_comes_before_passages_that_only_sound_alike(index: EvidenceIndex) -> None:
    assert set(titles(ask(index, ASKED, 3))) == {"Silver Harbour", "Ada Byron", "Carl Dorn"}


def test_words_of_a_question_count_as_far_as_the_corpus_has_them(index: EvidenceIndex) -> None:
    """The poet Storm of a German question is no storm; of the seven words beside his name the corpus has none."""
    asked, foreign = "What does a storm sink?", "Wann wurde der Dichter Theodor Storm in Husum geboren?"
    assert (index.read(asked).trust, index.read(foreign).trust) == (1.0, 0.25)
    by_words = {text: {hit.chunk.title: hit.parts["keyword"] for hit in ask(index, text)} for text in (asked, foreign)}
    assert by_words[asked]["Storms"] == pytest.approx(EvidenceOptions().keyword * 3.3 * 4 / 2)
    assert by_words[foreign]["Storms"] == pytest.approx(EvidenceOptions().keyword * 2.61 / 4)


def test_every_hit_has_a_path_from_the_question_to_it(index: EvidenceIndex) -> None:
    for hit in ask(index, ASKED, 4):
        assert hit.path[0].source == "question"
        assert hit.path[-1].target == hit.chunk.id
        for before, after in itertools.pairwise(hit.path):
            assert before.target == after.source
        assert all(0 < step.weight <= 1 + 1e-9 for step in hit.path)


def test_the_path_names_the_entities_that_carried_the_mass(index: EvidenceIndex) -> None:
    hit = next(hit for hit in ask(index, ASKED) if hit.chunk.title == "Carl Dorn")
    carried = [(step.via, step.label) for step in hit.path if step.via != "SEED"]
    assert carried[-2:] == [("MENTIONS", "Carl Dorn"), ("DESCRIBES", "Carl Dorn")]
    assert hit.path[-1].source == content_id("carl dorn")


def test_mass_that_a_passage_sends_itself_is_no_reason_to_be_found() -> None:
    two = make_index(chunks([("", "On Mount Doom a dragon sleeps."), ("", "At Mount Doom nobody sleeps.")]))
    first = ask(two, "dragon")[0]
    assert [step.via for step in first.path] == ["SEED"]


def test_parts_add_up_to_the_score(index: EvidenceIndex) -> None:
    for hit in ask(index, ASKED):
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)


def test_what_came_over_all_entities_and_back_from_them_is_all_that_walked(
    index: EvidenceIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explain, "CONTRIBUTIONS", 1000)
    walked = [hit for hit in ask(index, ASKED) if hit.parts["walk"] > 1e-9]
    assert len(walked) > 3
    for hit in walked:
        brought = [one for one in hit.contributions if one.part == "walk"]
        assert sum(one.value for one in brought) == pytest.approx(hit.parts["walk"])
        assert [one.value for one in brought] == sorted((one.value for one in brought), reverse=True)


def test_what_an_entity_brought_is_told_with_the_passage_that_gave_most_to_it(index: EvidenceIndex) -> None:
    hit = next(hit for hit in ask(index, ASKED) if hit.chunk.title == "Carl Dorn")
    brought = next(one for one in hit.contributions if one.path and one.label == "Carl Dorn")
    assert [(step.via, step.label) for step in brought.path] == [("MENTIONS", "Carl Dorn"), ("DESCRIBES", "Carl Dorn")]
    assert (brought.path[0].source, brought.path[1].target) == (hit.path[-2].source, hit.chunk.id)


def test_scores_fall_and_ranks_count_from_one(index: EvidenceIndex) -> None:
    hits = ask(index, ASKED)
    assert [hit.rank for hit in hits] == list(range(1, 7))
    assert all(before.score >= after.score for before, after in itertools.pairwise(hits))


def test_all_passages_are_found_when_k_is_large() -> None:
    many = chunks([(f"Town {n}", f"Town {n} lies near Town {n + 1}.") for n in range(60)])
    hits = ask(make_index(many), "Which town lies near Town 3?", 100)
    assert sorted(hit.chunk.id for hit in hits) == [chunk.id for chunk in many]
    assert all(before.score >= after.score for before, after in itertools.pairwise(hits))


def test_a_smaller_k_gives_the_beginning_of_the_same_ranking() -> None:
    many = make_index(chunks([(f"Town {n}", f"Town {n} lies near Town {n + 1}.") for n in range(60)]))
    longer = ask(many, "Which town lies near Town 3?", 50)
    assert titles(ask(many, "Which town lies near Town 3?", 5)) == titles(longer)[:5]


def test_only_allowed_passages_are_found_and_none_leads_through_another(index: EvidenceIndex) -> None:
    allowed = {chunk.id for chunk in chunks() if chunk.title != "Ada Byron"}
    hits = ask(index, ASKED, 10, allowed)
    assert {hit.chunk.id for hit in hits} == allowed
    forbidden = next(chunk.id for chunk in chunks() if chunk.title == "Ada Byron")
    assert all(forbidden not in (step.source, step.target) for hit in hits for step in hit.path)


def test_nothing_allowed_and_an_empty_corpus_find_nothing(index: EvidenceIndex) -> None:
    assert ask(index, ASKED, 10, set()) == []
    assert ask(make_index([]), ASKED) == []


@pytest.mark.parametrize(
    "text",
    ["what is long", "who was it?", "???", "Où est la ville de Gand ?", "谁写了这本小说?", "Zzyzx Qwfp", "Ghent"],
)
def test_any_question_gets_an_answer(index: EvidenceIndex, text: str) -> None:
    assert len(ask(index, text, 6)) == 6


def test_one_passage_is_a_corpus() -> None:
    hits = ask(make_index(chunks(PASSAGES[:1])), ASKED)
    assert titles(hits) == ["Silver Harbour"]


def test_passages_without_titles_and_texts_in_other_scripts_are_found() -> None:
    found = ask(make_index(chunks([("", "москва столица"), ("", ""), ("", "東京は首都です。")])), "москва", 3)
    assert len(found) == 3
    assert found[0].parts["keyword"] > 0


def test_two_builds_give_the_same_bytes_and_two_searches_the_same_hits(index: EvidenceIndex) -> None:
    first, second = (pack(chunks(), index.table, analyse_chunks(chunks())) for _ in range(2))
    assert {name: array.tobytes() for name, array in first.items()} == {
        name: array.tobytes() for name, array in second.items()
    }
    assert ask(make_index(chunks()), ASKED) == ask(make_index(chunks()), ASKED)


def test_an_index_mapped_from_disk_answers_alike(index: EvidenceIndex, tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    found = chunks()
    mapped = cache.load(
        "corpus",
        "evidence_walk",
        1,
        lambda: pack(found, index.table, analyse_chunks(found)),
        lambda arrays: EvidenceIndex(index.table, arrays),
    )
    assert ask(mapped, ASKED) == ask(index, ASKED)


def test_the_index_holds_the_relationships_that_ingest_writes(index: EvidenceIndex) -> None:
    found = chunks()
    state = describe(found, build_dictionary(found, analyse_chunks(found)))
    for matrix, pairs in ((index.graph.mentions, set(state.mentions)), (index.graph.titles, set(state.descriptions))):
        rows, entities = matrix.nonzero()
        names = [content_id(index.names[entity]) for entity in entities.tolist()]
        assert {(found[row].id, name) for row, name in zip(rows.tolist(), names, strict=True)} == pairs


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("keyword", -1.0),
        ("entity_share", 1.5),
        ("restart", 0.0),
        ("restart", 1.1),
        ("steps", 0),
        ("walk", float("nan")),
        ("coverage", float("inf")),
    ],
)
def test_an_option_out_of_its_range_is_refused(option: str, value: float) -> None:
    with pytest.raises(InvalidInput, match=option):
        EvidenceOptions(**{option: value})  # type: ignore[arg-type]  # steps is an int, the others are floats


FILES = ("FELLDYE_2023Q2_10Q.pdf", "FELLDYE_2024Q2_10Q.pdf", "MINAHOLT_2024Q2_10Q.pdf")
REPORT = "Revenue of the quarter rose, and stores were closed. Page {}."


def make_reports(*, named_by_file: bool) -> EvidenceIndex:
    """Three reports of two pages each that differ by the names of their files alone."""
    made = [
        Chunk(content_id(file, str(page)), file, "", file, text := REPORT.format(page), page, 0, len(text), 1)
        for file in FILES
        for page in range(2)
    ]
    return make_index(sorted((replace(one, named_by_file=named_by_file) for one in made), key=lambda one: one.id))


def test_a_question_finds_the_report_that_the_name_of_a_file_tells() -> None:
    index, text = make_reports(named_by_file=True), "How did revenue of Fell Dye change in Q2 of FY2024?"
    hits = ask(index, text)
    assert [hit.chunk.document_id for hit in hits[:2]] == [FILES[1]] * 2
    shares = {hit.chunk.document_id: hit.parts["file_name"] for hit in hits}
    assert shares == {FILES[0]: pytest.approx(0.1), FILES[1]: pytest.approx(0.15), FILES[2]: pytest.approx(0.1)}
    assert {hit.parts["file_name"] for hit in ask(make_reports(named_by_file=False), text)} == {0.0}
    assert {hit.parts["file_name"] for hit in ask(index, "How did revenue change?")} == {0.0}


def test_keywords_count_less_the_better_a_question_names_a_file() -> None:
    text, keyword = "How did revenue of Fell Dye change in Q2 of FY2024?", {}
    for named_by_file in (True, False):
        index = make_reports(named_by_file=named_by_file)
        others = {chunk.id for chunk in index.table.chunks() if chunk.document_id != FILES[1]}
        for allowed in (None, others):
            hits = ask(index, text, allowed=allowed)
            keyword[named_by_file, allowed is None] = max(hit.parts["keyword"] for hit in hits)
    assert keyword[True, True] == 0 < keyword[False, True]
    assert keyword[True, False] == pytest.approx(keyword[False, False] / 3)


def test_a_part_of_a_corpus_knows_the_names_of_its_files() -> None:
    index, text = make_reports(named_by_file=True), "How did revenue of Fell Dye change in Q2 of FY2024?"
    question = Question(text, vector := np.eye(8, dtype=np.float32)[0], lambda _: vector)
    whole, local = (
        find(index, question, 6, EvidenceOptions(scope=scope), set(index.table.ids[1:])).hits
        for scope in ("whole", "local")
    )
    assert {hit.chunk.id: hit.parts["file_name"] for hit in local} == {
        hit.chunk.id: hit.parts["file_name"] for hit in whole
    }
