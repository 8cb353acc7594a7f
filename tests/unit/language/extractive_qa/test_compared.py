"""Questions that compare two entities: by time, by country, by words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tetragraph.language.extractive_qa import find_span, pairs, read_answer
from tetragraph.language.extractive_qa.compared import choose, compare, find_choice
from tetragraph.language.extractive_qa.pairs import find_pair
from tetragraph.language.questions.names import find_names
from tetragraph.model import Bridge, ChainStep, Chunk

PAGES = {
    "Low Tide (poem)": "Low Tide is a poem of 1899 by Jens Arild. It was printed in 1903.",
    "The Grey Harbour": "The Grey Harbour is a memoir by Mina Holt, published in 1958.",
    "Mina Holt": "Wilhelmina Holt (1880 – 1941) was a Norwegian sculptor. Mina Holt lived in Halvik.",
    "Jens Arild": "Jens Arild (1875 – 1950) was a French-born Danish poet.",
    "Ida Brandt": "Ida Brandt (born 1 June 1875) was a Danish poet and surgeon.",
    "Halvik": "Halvik is a town in Norway, in Sund County. It has a population of 12,300.",
    "Reno Springs": "Reno Springs is a village in Nevada.",
    "Sund": "Sund is a town on the coast, in Sund County. The population was about 900.",
    "Night Ferry": "Night Ferry is a film directed by Mina Holt. It was shot by Jens Arild.",
    "Day Ferry": "Day Ferry is a film directed by Ida Brandt.",
    "Red Fern": "Red Fern is a genus of about 25 species of ferns, first named in 1840.",
    "Ash Fern": "Ash Fern is a genus of ferns with 1,200 accepted species.",
    "Mount Orrin": "Mount Orrin (8,163 m) is a mountain in Nepal.",
    "Mount Varga": "Mount Varga is a mountain of 8,051 metres in Nepal.",
    "Old Light": "Old Light is a tower of 316 ft in Norway.",
    "Olga Sund": "Olga Sund (born 1990) is a retired Danish tennis player from Halvik.",
    "Per Lind": "Per Lind is a professional Norwegian tennis player who lives in Sund.",
    "The Gulls": "The Gulls are a three-piece band from Halvik. They played in Reno Springs, Nevada.",
    "Tove Dal": "Tove Dal (born 1990) is a Danish writer, poet/surgeon and tennis player who lives in Sund.",
    "Eli Moe": "Eli Moe (born 1901) was an artist from Halvik.",
    "Mount Sel": "Mount Sel is the second highest mountain of Nepal and the 23rd-highest peak in the world.",
    "Mount Tor": "Mount Tor is the 112th highest mountain in the world.",
    "Reno City": "Reno City is a city of 6 million people.",
    "Sund City": "Sund City is a city of 900,000 people.",
    "Halvik City": "Halvik City is a city of 5 score people.",
    "Sole Fern": "Sole Fern is a genus with a single species.",
    "Moss Fern": "Moss Fern is a genus of ferns of the coast.",
    "The Reeds": "The Reeds are a band, consisting of Ida Holt (vocals, harp), Per Dal, Ole Vik and Eli Moe.",
}
PASSAGES = [Chunk(title, title, title, title, text, 0, 0, len(text), 9) for title, text in PAGES.items()]


@pytest.mark.parametrize(
    ("question", "answer", "rule"),
    [
        ("Which came out first, Low Tide or The Grey Harbour?", "Low Tide", "dates"),
        ('Which was published later, "Low Tide" or "The Grey Harbour"?', "The Grey Harbour", "dates"),
        ("Who is older, Mina Holt or Jens Arild?", "Jens Arild", "dates"),
        ("Who was born last, Mina Holt or Jens Arild?", "Mina Holt", "dates"),
        ("Was Mina Holt or Jens Arild born first?", "Jens Arild", "dates"),
        ("Who was born first out of Mina Holt and Jens Arild?", "Jens Arild", "dates"),
        ("Who died first, Jens Arild or Mina Holt?", "Mina Holt", "dates"),
        ("Who lived longer, Jens Arild or Mina Holt?", "Jens Arild", "dates"),
        ("Which film has the director who was born later, Night Ferry or Day Ferry?", "Night Ferry", "dates"),
        ("Which poet is Norwegian, Mina Holt or Jens Arild?", None, None),
        ("Which of the two is a surgeon, Ida Brandt or Jens Arild?", "Ida Brandt", "which"),
        ("Are Ida Brandt and Jens Arild of the same nationality?", "yes", "countries"),
        ("Do Mina Holt and Jens Arild have the same nationality?", "no", "countries"),
        ("Are Halvik and Reno Springs located in the same country?", "no", "countries"),
        ("Are Halvik and Reno Springs in different countries?", "yes", "countries"),
        ("Are the directors of the films Night Ferry and Day Ferry from the same country?", "no", "countries"),
        ("Are Halvik and Sund in the same county?", "yes", "same"),
        ("Are Halvik and Reno Springs in the same county?", "no", "same"),
        ("Are Ida Brandt and Jens Arild both poets?", "yes", "both"),
        ("Are Mina Holt and Jens Arild both poets?", "no", "both"),
        ("Are both Mina Holt or Jens Arild poets?", "no", "both"),
        ("Are Ida Brandt and Jens Arild both Danish?", "yes", "both"),
        ("Are Ida Brandt and Jens Arild both from Denmark?", "yes", "both"),
        ("Are Ida Brandt and Mina Holt both from Denmark?", "no", "both"),
        ("Which artist is from Norway, Mina Holt or Jens Arild?", "Mina Holt", "which"),
        ("Is Ida Brandt or Jens Arild a surgeon?", "Ida Brandt", "which"),
        ("Which genus has more species, Red Fern or Ash Fern?", "Ash Fern", "numbers"),
        ("Which of Red Fern or Ash Fern has the fewest species?", "Red Fern", "numbers"),
        ("Which town has the larger population, Sund or Halvik?", "Halvik", "numbers"),
        ("Which is higher, Mount Varga or Mount Orrin?", "Mount Orrin", "numbers"),
        ("Which is lower, Mount Varga or Old Light?", "Old Light", "numbers"),
        ("Is Old Light or Mount Varga taller?", "Mount Varga", "numbers"),
        ("Between the two peaks Mount Varga and Mount Orrin, which is highest?", "Mount Orrin", "numbers"),
        ("Who is most famous as a surgeon, Jens Arild or Ida Brandt?", "Ida Brandt", "which"),
        ("Do Red Fern and Ash Fern have the same number of species?", "no", "numbers"),
        ("Do Red Fern and Ash Fern have a different number of species?", "yes", "numbers"),
        ("Which city has more people, Sund City or Reno City?", "Reno City", "numbers"),
        ("Which town has a higher population, Sund or Halvik?", "Halvik", "numbers"),
        ("What profession do Ida Brandt and Jens Arild share?", "poet", "common"),
        ("What type of plants are Red Fern and Ash Fern?", "genus", "common"),
        ("What profession do Tove Dal and Jens Arild have in common?", "poet", "common"),
        ("What profession do Mina Holt and Eli Moe have in common?", "artist", "common"),
        ("Who has a wider scope of profession, Ida Brandt or Tove Dal?", "Tove Dal", "numbers"),
        ("Which writer had the less diverse career, Tove Dal or Jens Arild?", "Jens Arild", "numbers"),
        ("Which genus has more species, Sole Fern or Moss Fern?", "Moss Fern", "numbers"),
        ("Which genus has fewer species, Moss Fern or Sole Fern?", "Sole Fern", "numbers"),
        ("Which mountain is higher, Mount Tor or Mount Sel?", "Mount Sel", "numbers"),
        ("Which mountain is lower, Mount Tor or Mount Sel?", "Mount Tor", "numbers"),
        ("Which is a mountain in Asia, Old Light or Mount Orrin?", "Mount Orrin", "which"),
        ("Are Mount Orrin and Mount Varga both in Asia?", "yes", "both"),
        ("Are Mount Orrin and Old Light both European?", "no", "both"),
        ("What nationality are both Ida Brandt and Jens Arild?", "Danish", "common"),
        ("In what country are both Mount Orrin and Mount Varga?", "Nepal", "common"),
        ("Which band has more members, The Gulls or The Reeds?", "The Reeds", "numbers"),
        ("Are Ida Brandt and Jens Arild both writers?", "yes", "both"),
        ("Are Ida Brandt and Mina Holt both writers?", "no", "both"),
        ("What sport do both Olga Sund and Per Lind play?", "tennis", "common"),
        ("What kind of sportspeople are Olga Sund and Per Lind?", "tennis player", "common"),
    ],
)
def test_dates_countries_and_words_decide(question: str, answer: str | None, rule: str | None) -> None:
    found = compare(question, find_pair(question, PASSAGES))
    if answer is None:
        assert found is None
        return
    assert found is not None
    assert (found.text, found.rule) == (answer, rule)
    assert len(found.evidence) == 2
    assert all(chunk.text[start:end] for chunk, (start, end) in found.evidence)


@pytest.mark.parametrize(
    "question",
    [
        "Which is longer, Low Tide or The Grey Harbour?",
        "Who was the first, and who the last, Mina Holt or Jens Arild?",
        "Which is older, Halvik or Low Tide?",
        "Which is older, Old Port or Low Tide?",
        "Who was born first, Mina Holt or Mina Holt?",
        "Who was born first, Ida Brandt or Jens Arild?",
        "Who lived longer, Ida Brandt or Jens Arild?",
        "Are Low Tide and Jens Arild from the same country?",
        "Was Mina Holt the first sculptor of Halvik?",
        "Which film has the director who was born later, Night Ferry or Halvik?",
        "Who knew both Mina Holt and Jens Arild?",
        "Which has more species, Red Fern or Mount Orrin?",
        "Which has more than 20 rooms, Low Tide or The Grey Harbour?",
        "What kind of ship is in both Halvik and Reno Springs?",
        "What profession do Mina Holt and Red Fern share?",
        "What country singers are both Ida Brandt and Jens Arild?",
        "Which country music prize did both Ida Brandt and Jens Arild win?",
        "What nationality are both Ida Brandt and Mina Holt?",
        "Which city has more people, Sund City or Halvik City?",
        "Are both Ida Brandt and Jens Arild not poets?",
        "Aren't Mina Holt and Jens Arild both poets?",
        "Were Ida Brandt and Jens Arild both never married poets?",
        "Are neither Ida Brandt nor Jens Arild and Eli Moe poets?",
        "Are Ida Brandt and Jens Arild not of the same nationality?",
        "What profession do Ida Brandt and Jens Arild not share?",
        "Which of the two was never a surgeon, Ida Brandt or Jens Arild?",
        "Was Mina Holt not born before Jens Arild?",
        "Which mountain has a higher rate of climbers from Nepal, Mount Varga or Old Light?",
        "Which mountain has the higher fee, Mount Varga or Mount Orrin?",
        "Which mountain has the higher fee, Mount Tor or Mount Sel?",
        "Do Sund City and Halvik City have the same number of people?",
        "Which band has more members, The Gulls or Halvik?",
        "Which mountain is higher, Mount Tor or Mount Orrin?",
        "Which genus has more species, Ash Fern or Moss Fern?",
        "",
    ],
)
def test_without_two_values_nothing_is_chosen(question: str) -> None:
    assert compare(question, find_pair(question, PASSAGES)) is None


def test_a_choice_goes_to_the_likelier_name() -> None:
    question = "Which is longer, Low Tide or The Grey Harbour?"
    pair = find_choice(question, find_pair(question, PASSAGES))
    assert pair is not None
    found = choose(pair, {"Low Tide": 0.1, "The Grey Harbour": 0.2}.__getitem__)
    assert found is not None
    assert (found.text, found.rule) == ("The Grey Harbour", "choice")
    assert choose(pair, {"Low Tide": 0.1, "The Grey Harbour": 0.1}.__getitem__) is None


@pytest.mark.parametrize(
    "question",
    [
        "Which is wider, Halvik or Sund?",
        "Which is in the north, Halvik or Sund?",
        "Which town, Halvik or Sund, is on a hill?",
        "Which of Halvik or Sund is on a hill?",
        "Is Halvik or Sund on a hill?",
    ],
)
def test_a_question_offers_a_choice(question: str) -> None:
    pair = find_choice(question, find_pair(question, PASSAGES))
    assert pair is not None
    assert (pair.one.name, pair.other.name) == ("Halvik", "Sund")


@pytest.mark.parametrize(
    "question",
    [
        "Who knew both Mina Holt and Jens Arild?",
        "Which is longer, Low Tide or Old Port?",
        "Who wrote Low Tide?",
        "Who wrote Low Tide or The Grey Harbour?",
        "Which country are Mina Holt or Jens Arild from?",
    ],
)
def test_other_questions_offer_no_choice(question: str) -> None:
    assert find_choice(question, find_pair(question, PASSAGES)) is None


def test_the_person_in_relation_to_a_work_is_the_one_that_the_chain_found() -> None:
    question = "Which has the author who died first, The Grey Harbour or Low Tide?"
    text = "The Grey Harbour is a memoir by Ida Brandt and Mina Holt, published in 1958."
    passages = [Chunk("g", "g", "The Grey Harbour", "g", text, 0, 0, len(text), 9), *PASSAGES]
    chain = [ChainStep("the author of The Grey Harbour", (), (Bridge("e", "Mina Holt", 0.9),), ())]
    assert compare(question, find_pair(question, passages, chain)) is not None
    found = compare(question, find_pair(question, passages, chain))
    assert found is not None
    assert found.text == "The Grey Harbour"
    assert "Mina Holt: 1941" in found.reason


def test_the_title_that_the_question_writes_in_full_is_preferred() -> None:
    others = [
        Chunk(title, title, title, title, text, 0, 0, len(text), 9)
        for title, text in (
            ("Halvik (film)", "Halvik is a film of 1950."),
            ("Halvik (poem)", "Halvik is a poem of 1850."),
            ("Sund", "Sund is a film of 1900."),
        )
    ]
    question = "Which is older, Halvik (poem) or Sund?"
    found = compare(question, find_pair(question, others))
    assert found is not None
    assert found.text == "Halvik (poem)"


def test_an_untitled_chunk_is_about_the_name_that_opens_it() -> None:
    untitled = [
        Chunk(str(number), "d", "", "", text, number, 0, len(text), 9)
        for number, text in enumerate(["The Old Mill opened in 1850.", "Red Barn opened in 1790."])
    ]
    question = "Which opened first, the Old Mill or Red Barn?"
    found = compare(question, find_pair(question, untitled))
    assert found is not None
    assert found.text == "Red Barn"


def test_a_long_question_is_searched_for_names_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    def count(question: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        searched.append(question)
        return find_names(question, spans)

    monkeypatch.setattr(pairs, "find_names", count)
    question = "Which is wider, Halvik or Sund? " * 20
    pair = find_choice(question, find_pair(question, PASSAGES))
    assert pair is not None
    assert (pair.one.name, pair.other.name) == ("Halvik", "Sund")
    assert searched == [question]
    read_answer(question, PASSAGES)
    assert searched == [question, question]


def test_the_answer_is_a_place_where_the_passage_names_it() -> None:
    span = find_span("Who is younger, Jens Arild or Mina Holt?", PASSAGES)
    assert span is not None
    assert span.chunk.text[span.start : span.end] == "Mina Holt"
    assert span.chunk.text[slice(*span.sentence)] == "Mina Holt lived in Halvik."
