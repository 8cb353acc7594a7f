"""Facts of sentences, with the real English model."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hidden_spacy import hide_spacy
from tetragraph.errors import MissingDependency
from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.model import Fact, FactExtractor
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import Chunk


def chunk(text: str, title: str = "") -> Chunk:
    return Chunk("c", "d", title, title, text, 0, 0, len(text), 0)


def facts(text: str, title: str = "") -> list[Fact]:
    extractor: FactExtractor = DependencyExtractor()
    return extractor.extract([chunk(text, title)])[0]


def told(fact: Fact) -> tuple[str, dict[str, str]]:
    return fact.type, {participant.name: participant.role for participant in fact.participants}


OLSEN = "Marta Olsen"
FILM = "Silver Harbour (film)"
SENTENCES = {
    "several objects and a date": (
        "",
        "Anna Lindqvist wrote Grey Dawn and Tall Pines in 1987.",
        [
            (
                "wrote",
                {"Anna Lindqvist": "subject", "Grey Dawn": "object", "Tall Pines": "object", "1987": "time"},
            )
        ],
    ),
    "passive voice with agent, place and time": (
        "",
        "Grey Dawn was painted by Marta Olsen in Stockholm in 1921.",
        [("painted", {"Grey Dawn": "subject", OLSEN: "agent", "Stockholm": "place", "1921": "time"})],
    ),
    "a copula, and a participle that belongs to its subject": (
        "Silver Harbour",
        "Silver Harbour is a 1987 drama film directed by Anna Lindqvist.",
        [
            ("is", {"Silver Harbour": "subject", "1987 drama film": "attribute", "1987": "modifier"}),
            ("directed", {"Silver Harbour": "subject", "Anna Lindqvist": "agent"}),
        ],
    ),
    "a copula with a maker": (
        "Live in Japan",
        "Live in Japan is an album by Marta Olsen.",
        [("is", {"Live in Japan": "subject", "album": "attribute", OLSEN: "by"})],
    ),
    "an apposition": (
        "",
        "Marta Olsen, a painter from Norway, moved to Paris.",
        [
            ("is", {OLSEN: "subject", "painter": "attribute", "Norway": "from"}),
            ("moved", {OLSEN: "subject", "Paris": "to"}),
        ],
    ),
    "a possessive before a name": (
        "",
        "Marta Olsen's husband Peter Varga died in Vienna.",
        [
            ("died", {"husband": "subject", "Peter Varga": "subject", OLSEN: "of", "Vienna": "place"}),
            ("husband", {"Peter Varga": "subject", "husband": "attribute", OLSEN: "of"}),
        ],
    ),
    "an office before a name": (
        "",
        "The president met film director Anna Lindqvist in Paris.",
        [
            ("met", {"president": "subject", "Anna Lindqvist": "object", "Paris": "place"}),
            ("is", {"Anna Lindqvist": "subject", "film director": "attribute"}),
        ],
    ),
    "a relative clause": (
        "",
        "The book was bought by Peter Varga, who lived in Vienna.",
        [
            ("bought", {"book": "subject", "Peter Varga": "agent"}),
            ("lived", {"Peter Varga": "subject", "Vienna": "place"}),
        ],
    ),
    "a relative clause without a pronoun": (
        "",
        "Oslo is the city where Marta Olsen was born in 1871.",
        [
            ("is", {"Oslo": "subject", "city": "attribute"}),
            ("born", {OLSEN: "subject", "Oslo": "place", "1871": "time"}),
        ],
    ),
    "a relative pronoun for an object, and one for a possessor": (
        "",
        "They moved to the house which Peter Varga, whose wife was Marta Olsen, had built in 1921.",
        [
            ("built", {"Peter Varga": "subject", "house": "object", "1921": "time"}),
            ("is", {"wife": "subject", "Peter Varga": "of", OLSEN: "attribute"}),
        ],
    ),
    "a noun that the reader is taken to know": (
        "Tall Pines",
        "The screenplay by Anna Lindqvist was based on books.",
        [("based", {"Tall Pines": "topic", "screenplay": "subject", "Anna Lindqvist": "by", "books": "on"})],
    ),
    "a second verb with the subject of the first": (
        OLSEN,
        "Marta Olsen was born in Oslo and studied in Paris.",
        [("born", {OLSEN: "subject", "Oslo": "place"}), ("studied", {OLSEN: "subject", "Paris": "place"})],
    ),
    "a verb below a verb": (
        "",
        "Marta Olsen wants to promote Grey Dawn in Norway.",
        [("wants", {OLSEN: "subject", "Grey Dawn": "object", "Norway": "place"})],
    ),
    "a verb below a preposition": (
        "",
        "Anna Lindqvist is known for directing Grey Dawn.",
        [("known", {"Anna Lindqvist": "subject", "Grey Dawn": "for"})],
    ),
    "a verb with a particle, and a place in a place": (
        "",
        "Marta Olsen set up a school in Oslo, Norway.",
        [("set up", {OLSEN: "subject", "school": "object", "Oslo": "place", "Norway": "place"})],
    ),
    "a pronoun that means the title": (
        OLSEN,
        "Marta Olsen was born in Oslo. She married Peter Varga in 1921.",
        [
            ("born", {OLSEN: "subject", "Oslo": "place"}),
            ("married", {OLSEN: "subject", "Peter Varga": "object", "1921": "time"}),
        ],
    ),
    "a pronoun of another gender than the title's": (
        OLSEN,
        "Marta Olsen was a Norwegian painter. Her brother was Peter Varga. He lived in Vienna.",
        [
            ("is", {OLSEN: "subject", "Norwegian painter": "attribute", "Norwegian": "modifier"}),
            ("is", {"brother": "subject", OLSEN: "of", "Peter Varga": "attribute"}),
            ("lived", {"Peter Varga": "subject", "Vienna": "place"}),
        ],
    ),
    "a noun with an article and a pronoun for a thing": (
        FILM,
        "Silver Harbour is a film. The film stars Anna Lindqvist. It was shot in Norway.",
        [
            ("is", {FILM: "subject", "film": "attribute"}),
            ("stars", {FILM: "subject", "Anna Lindqvist": "object"}),
            ("shot", {FILM: "subject", "Norway": "place"}),
        ],
    ),
    "a thing that joins a person's passage": (
        OLSEN,
        "Marta Olsen joined the Northern Railway Company. It was founded in Oslo.",
        [
            ("joined", {OLSEN: "subject", "Northern Railway Company": "object"}),
            ("founded", {"Northern Railway Company": "subject", "Oslo": "place"}),
        ],
    ),
    "pronouns for many and for the subject before": (
        "",
        "The Northern Railway Company opened a station. They sold it to Peter Varga. He lived in northern Norway.",
        [
            ("opened", {"Northern Railway Company": "subject", "station": "object"}),
            ("sold", {"Northern Railway Company": "subject", "Peter Varga": "to"}),
            ("lived", {"Peter Varga": "subject", "northern Norway": "place"}),
        ],
    ),
    "a title that only pronouns mean": (
        OLSEN,
        "She was born in Oslo.",
        [("born", {OLSEN: "subject", "Oslo": "place"})],
    ),
    "a film that is told apart from the title's": (
        FILM,
        "Silver Harbour is a film. The film about Oslo was sold by Peter Varga.",
        [
            ("is", {FILM: "subject", "film": "attribute"}),
            ("sold", {FILM: "topic", "film": "subject", "Oslo": "about", "Peter Varga": "agent"}),
        ],
    ),
    "a kind of work that the text does not say": (
        "Live in Japan",
        "Live in Japan was sung by Marta Olsen. The song was released in 1987.",
        [
            ("sung", {"Live in Japan": "subject", OLSEN: "agent"}),
            ("released", {"Live in Japan": "subject", "1987": "time"}),
        ],
    ),
    "an actor in brackets, and a form of address": (
        "",
        "Marta Olsen played Juliet (Anna Lindqvist) before Sir Peter Varga in Oslo.",
        [
            ("played", {OLSEN: "subject", "Juliet": "object", "Peter Varga": "before", "Oslo": "place"}),
            ("beside", {"Juliet": "subject", "Anna Lindqvist": "object"}),
        ],
    ),
    "a sentence that names nobody": (
        "Silver Harbour",
        "The population was 3,000 in 1921.",
        [("is", {"Silver Harbour": "topic", "population": "subject", "3,000": "attribute", "1921": "time"})],
    ),
    "birth and death in a bracket": (
        OLSEN,
        "Marta Olsen (2 May 1871, Oslo – 8 June 1950, Paris) was a painter.",
        [
            ("born", {OLSEN: "subject", "2 May 1871": "time", "Oslo": "place"}),
            ("died", {OLSEN: "subject", "8 June 1950": "time", "Paris": "place"}),
            ("is", {OLSEN: "subject", "painter": "attribute"}),
        ],
    ),
    "birth in a bracket after another name than the title": (
        "Juju (singer)",
        "Judith Varga (born 20 November 1992 in Berlin) lives in Norway.",
        [
            ("born", {"Juju (singer)": "subject", "20 November 1992": "time", "Berlin": "place"}),
            ("named", {"Juju (singer)": "subject", "Judith Varga": "object"}),
            ("lives", {"Judith Varga": "subject", "Norway": "place"}),
        ],
    ),
    "an abbreviation in a bracket": (
        "",
        "The Northern Railway Company (NRC) opened a station in Oslo.",
        [
            ("opened", {"Northern Railway Company": "subject", "station": "object", "Oslo": "place"}),
            ("abbreviated", {"Northern Railway Company": "subject", "NRC": "object"}),
        ],
    ),
}


@pytest.mark.parametrize(
    "before",
    [
        "# Travel rules\n\n",
        "## Travel rules\n",
        "Travel rules\n============\n\n",
        "Travel rules\n \n",
    ],
)
def test_a_heading_is_no_part_of_the_sentence_below_it(before: str) -> None:
    sentence = "Anna Lindqvist leads the travel team of Stockholm."
    found = facts(f"{before}{sentence}")
    assert [told(fact) for fact in found] == [told(fact) for fact in facts(sentence)]
    assert [fact.description for fact in found] == [sentence.rstrip(".")]


@pytest.mark.parametrize(("title", "text", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_a_sentence_states_its_facts(title: str, text: str, expected: list[tuple[str, dict[str, str]]]) -> None:
    assert [told(fact) for fact in facts(text, title)] == expected


@pytest.mark.parametrize(("title", "text", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_a_description_names_whom_the_text_means(title: str, text: str, expected: list[object]) -> None:
    for fact in facts(text, title):
        subject = fact.participants[0].name
        assert subject in fact.description or subject.partition(" (")[0] in fact.description or fact.type == "born"
        assert not {"She", "He", "It", "They", "Her", "who"}.intersection(fact.description.split())


def test_a_title_that_reads_like_a_sentence_is_one_name() -> None:
    found = facts("The band recorded Live in Japan in 1982. Live in Japan was sold in Norway.", "Live in Japan")
    assert [told(fact) for fact in found] == [
        ("recorded", {"band": "subject", "Live in Japan": "object", "1982": "time"}),
        ("sold", {"Live in Japan": "subject", "Norway": "place"}),
    ]


def test_the_title_is_meant_by_a_part_of_a_persons_name() -> None:
    text = "Marta Olsen was born in Oslo. She was tall. Olsen died in Paris."
    assert told(facts(text, OLSEN)[-1]) == ("died", {OLSEN: "subject", "Paris": "place"})


def test_a_full_name_in_the_first_sentence_is_another_name_of_the_title() -> None:
    found = facts("Old Silver Harbour Bridge is a bridge in Norway.", "Silver Harbour Bridge")
    assert ("named", {"Silver Harbour Bridge": "subject", "Old Silver Harbour Bridge": "object"}) in map(told, found)


def test_a_name_stands_once_in_a_description() -> None:
    found = facts("Marta Olsen was born in Oslo. She sold her house in Paris to her brother.", OLSEN)
    assert found[-1].description == "Marta Olsen sold her house in Paris to her brother"


def test_a_bracket_before_the_first_name_says_nothing_of_it() -> None:
    assert facts(" (born 1969), East German-born conductor ; Eckart Ratz.", "Eckart") == []


def test_what_somebody_says_of_himself_is_not_said_of_the_title() -> None:
    assert facts("I play a great role.", "Silver Harbour") == []


def test_confidence_falls_with_what_had_to_be_inferred() -> None:
    named, by_pronoun = facts("Marta Olsen was born in Oslo. She married Peter Varga in 1921.", OLSEN)
    attached = facts("The population was 3,000 in 1921.", "Silver Harbour")[0]
    assert (named.confidence, by_pronoun.confidence, attached.confidence) == (0.9, 0.8, 0.5)


def test_offsets_point_at_the_clause_of_the_statement() -> None:
    text = "It rained. Marta Olsen was born in Oslo and studied in Paris eagerly."
    stated = [text[fact.start : fact.end] for fact in facts(text, OLSEN)]
    assert stated == ["Marta Olsen was born in Oslo", "studied in Paris eagerly"]


def test_each_chunk_has_its_own_facts_in_the_order_of_the_chunks() -> None:
    texts = [text for _, text, _ in SENTENCES.values()]
    together = DependencyExtractor().extract([chunk(text) for text in texts])
    assert together == [facts(text) for text in texts]
    assert together == DependencyExtractor().extract([chunk(text) for text in texts])


@pytest.mark.parametrize("text", ["", "   \n", "?!", "Rain.", "(((", "))) ) (", "1 2 3"])
def test_a_text_that_states_nothing_has_no_facts(text: str) -> None:
    assert facts(text) == []


def test_a_text_without_a_verb_states_what_its_names_are() -> None:
    assert [told(fact) for fact in facts("Marta Olsen, a painter from Norway.")] == [
        ("is", {OLSEN: "subject", "painter": "attribute", "Norway": "from"})
    ]


def test_a_very_long_sentence_is_read_to_its_end() -> None:
    places = ", ".join(f"Anna{number} Lindqvist{number}" for number in range(400))
    found = facts(f"Marta Olsen met {places} and " + "and so on " * 300 + "and died in Oslo.")
    assert found
    assert max(len(fact.participants) for fact in found) <= 20


@pytest.mark.parametrize(
    "text",
    [
        "Marta Olsen war eine norwegische Malerin, die 1871 in Oslo geboren wurde.",
        "玛尔塔是一位挪威画家，1871年出生于奥斯陆。",
        "Марта Ольсен родилась в Осло в 1871 году.",
        "ولدت مارتا في أوسلو عام 1871.",
    ],
)
def test_other_languages_do_no_harm(text: str) -> None:
    for fact in facts(text, OLSEN):
        assert text[fact.start : fact.end].strip()


_PIECES = """
Marta Olsen|Silver Harbour|Live in Japan|, a painter ,|who|she|it|was born|in Oslo|in 1921|(|)|(born|and|by|'s|wife|
directed|the film|is|.|of|–|"|said|that|they|to build|2 May 1871|ß|İ|''|the wife of|, Norway|which
"""
PIECES = st.sampled_from(_PIECES.split("|"))


@given(st.lists(PIECES, max_size=25).map(" ".join), st.sampled_from(["", OLSEN, FILM, "Live in Japan"]))
@settings(max_examples=120, deadline=None)
def test_facts_lie_inside_the_text_and_name_what_it_names(text: str, title: str) -> None:
    found = facts(text, title)
    assert found == facts(text, title)
    whole = normalise_name(f"{text} {title}")
    for fact in found:
        assert 0 <= fact.start < fact.end <= len(text)
        assert len({normalise_name(participant.name) for participant in fact.participants}) >= 2
        for participant in fact.participants:
            assert participant.name == title or normalise_name(participant.name) in whole


def test_without_the_parser_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_spacy(monkeypatch)
    with pytest.raises(MissingDependency, match=r"facts need spaCy .* pip install 'tetragraph\[local\]'"):
        DependencyExtractor().extract([chunk("Marta Olsen paints.")])
