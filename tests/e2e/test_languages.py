"""Documents in several languages in one corpus."""

from __future__ import annotations

from collections import Counter

import pytest

from command_line import Cli
from tetragraph import Document, Tetragraph
from tetragraph.errors import InvalidInput
from tetragraph.indexing.documents import DocumentReport

GERMAN = "Der Hafen von Halvik wurde 1881 von Orla Brandt gebaut, nachdem die alte Mole in einem Sturm verloren ging. "
ENGLISH = "The harbour of Halvik was built in 1881 by Orla Brandt, after the old pier had been lost in a storm at sea. "


def test_the_language_of_documents_is_stored_noted_and_a_filter(cli: Cli, client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    texts = {"de": GERMAN, "en": ENGLISH, "short": "Hafen."}
    report = corpus.ingest([Document(name, "", text) for name, text in texts.items()])
    assert any(note.startswith("documents in other languages than English (de 1): bge-small") for note in report.notes)
    assert {one.id: one.language for one in corpus.documents()} == {"de": "de", "en": "en", "short": ""}

    def find(language: object) -> list[str]:
        hits = corpus.search("Hafen Halvik harbour", method="dense", filters={"@language": language})  # type: ignore[dict-item]  # texts, lists and maps
        return sorted(hit.chunk.document_id for hit in hits)

    assert find("DE") == ["de"]
    assert find(["de", "en"]) == ["de", "en"]
    assert find({"ne": "de"}) == ["en", "short"]
    with pytest.raises(InvalidInput, match="the filter on '@language' must be a text such as 'de'"):
        find(3)
    assert "language: de" in cli("show", "de", "-c", corpus_name).stdout
    shown = cli("search", "Halvik", "-c", corpus_name, "-m", "keyword", "-f", "@language=en").stdout
    assert "The harbour" in shown
    assert "Der Hafen" not in shown


def test_facts_of_other_languages_are_noted_once(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest([Document("de", "", GERMAN), Document("en", "", ENGLISH)])
    said = "documents in other languages than English (de 1): their facts were found by a parser of English; "
    assert [note for note in corpus.build("bipartite").notes if note.startswith(said)]
    assert not [note for note in corpus.build("bipartite").notes if "parser of English" in note]
    assert not [note for note in corpus.ingest([Document("more", "", ENGLISH * 2)]).notes if "parser" in note]


@pytest.mark.parametrize(
    ("embedder", "says"),
    [
        ("bge-small", "--embedder multilingual finds them better"),
        ("multilingual", "are made for English"),
    ],
)
def test_what_does_not_serve_a_language_is_noted(embedder: str, says: str) -> None:
    report = DocumentReport(languages=Counter({"": 2, "en": 5, "tr": 1, "de": 3}))
    (note,) = report.note_languages(embedder)
    assert note.startswith("documents in other languages than English (de 3, tr 1): ")
    assert note.endswith(says)
    assert not list(DocumentReport(languages=Counter({"": 2, "en": 5})).note_languages(embedder))


SHIPS = (
    ("a", "Гавань", "Новый причал построили в Халвике после шторма. Кораблям теперь хватает места у берега. " * 2),
    ("b", "Маяк", "Старый маяк стоит у входа в залив. Смотритель зажигал огонь каждый вечер. " * 2),
    ("c", "Рынок", "На рынке продают рыбу и хлеб. Торговцы приезжают из соседних деревень рано утром. " * 2),
)


def test_words_are_found_in_other_forms_of_their_language(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest([Document(name, title, text) for name, title, text in SHIPS])
    question = "новые причалы корабля"
    found = {engine: corpus.search(question, engine=engine).hits[0] for engine in ("memory", "stores")}
    assert found["memory"].chunk.document_id == "a"
    assert found["memory"].parts == pytest.approx(found["stores"].parts, rel=1e-3)
    assert found["memory"].parts["keyword"] > 0
    corpus.ingest([Document(f"{name}-en", "", ENGLISH + str(name)) for name in "abcd"])
    assert corpus.search(question, engine="stores").hits[0].chunk.document_id == "a"
    stored = "MATCH (corpus:Corpus {corpus: $corpus}) RETURN corpus.stem_languages AS languages"
    assert list(corpus.cypher(stored).rows) == [{"languages": ["ru"]}]


def test_keywords_note_scripts_whose_words_are_not_divided(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest([Document("th", "", "ท่าเรือฮัลวิกสร้างขึ้นในปี 1881"), Document("zh", "", "港口建于1881年")])
    notes = [corpus.search(text, method="keyword").notes for text in ("ท่าเรือ", "港口", "1881")]
    assert [len(one) for one in notes] == [1, 0, 0]
    assert "Thai, Lao, Burmese or Khmer" in notes[0][0]
    assert corpus.search("ท่าเรือ", method="fused", of=["dense", "keyword"]).notes == notes[0]
