"""Questions that compare two entities by the time of what happened to them, and by their extent and period."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa.compared import compare
from tetragraph.language.extractive_qa.pairs import find_pair
from tetragraph.model import Chunk

PAGES = {
    "Sund Herald": "The Sund Herald was a newspaper founded in 1855. It closed in 1934.",
    "Halvik Post": "The Halvik Post was a newspaper founded in 1861. In 1900 it closed.",
    "Fort Ash": "Fort Ash was built in 1710, burned down in 1790 and was rebuilt in 1850.",
    "Fort Elm": "Fort Elm was built in 1720, burned down in 1760 and was rebuilt in 1800.",
    "Fort Oak": "Fort Oak was built in 1730. It burned down.",
    "Karl Moe": "Karl Moe (born 1901, died 4 May 1980) became mayor of Sund in 1950. He lives in Halvik.",
    "Lars Nim": "Lars Nim (born 12 June 1901, died 1970) became mayor of Reno in 1940. He also lives in Halvik.",
    "Ida Brandt": "Ida Brandt is a Danish poet. She was born in 1875 in Halvik and has two children.",
    "Mina Holt": "Mina Holt is a Norwegian poet. She was born in Reno in 1880 and has four children.",
    "Iron Bridge": "The Iron Bridge is in Sund. It opened in 1931 and is 420 metres long.",
    "Stone Bridge": "The Stone Bridge is in Sund. It opened in 1931. Its length is 1.2 km.",
    "Siege of Sund": "The Siege of Sund (German: Schlacht) was fought from 19 September to 16 December 1844 in winter.",
    "Siege of Reno": "The Siege of Reno, lasting from August 4 to September 18, 1850, was won by Karl Moe.",
    "Grey Owls": "Grey Owls (1970–1999) were a band from Halvik, active from 1983 to 1986.",
    "Red Foxes": "Red Foxes were a band of Sund that played between May 1985 and June 1992.",
    "Ann Lark": "Ann Lark (born 4 May 1965) is a rower from Sund.",
    "Bob Hale": "Bob Hale is a rower who won the Senior Cup in 2001 and retired soon after his seventieth birthday.",
    "Cy Dunn": "Cy Dunn was a rower who won the Senior Cup in 1951.",
    "Night Ferry": "Night Ferry is a film of 1950 directed by Karl Moe Junior.",
    "Day Ferry": "Day Ferry is a film of 1960 directed by Ida Brandt.",
    "Orrin III": "Orrin III (born 1481 BC, died 1400 BC) was a king.",
    "Varga II": "Varga II (1303–1213 BC) was a king.",
    "Eva Rud": "Eva Rud (3 May 1900 – 4 June 1930) was a Danish poet, born in Sund.",
    "Liv Dahl": "Liv Dahl (3 May 1920 – 4 June 1999) was a Danish poet, born in Oslo.",
    "Alba Hall": "Alba Hall, with 1500 seats, opened in 1930.",
    "Old Hall": "Old Hall opened on 2019-03-05.",
    "New Hall": "New Hall opened on 2019-02-01.",
    "Tor Ek": "Tor Ek (1900–1990) was a painter.",
    "Uwe Fels": "Uwe Fels (1905–1935) was a painter.",
    "Sel I": "Sel I (1309 – 1275 BC) was a king.",
}
PASSAGES = [Chunk(title, title, title, title, text, 0, 0, len(text), 9) for title, text in PAGES.items()]


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        ("Which newspaper closed first, the Sund Herald or the Halvik Post?", "Halvik Post", ("1934", "1900")),
        ("Which newspaper was founded first, the Sund Herald or the Halvik Post?", "Sund Herald", ("1855", "1861")),
        ("Which fort burned down later, Fort Ash or Fort Elm?", "Fort Ash", ("1790", "1760")),
        ("Which fort was rebuilt earlier, Fort Ash or Fort Elm?", "Fort Elm", ("1850", "1800")),
        ("Who became mayor first, Karl Moe or Lars Nim?", "Lars Nim", ("1950", "1940")),
        ("Were Karl Moe and Lars Nim born in the same year?", "yes", ("1901", "1901")),
        ("Did Karl Moe and Lars Nim die in the same year?", "no", ("1980", "1970")),
        ("Did Karl Moe and Lars Nim die in the same century?", "yes", ("1980", "1970")),
        ("Did the Iron Bridge and the Stone Bridge open in the same year?", "yes", ("1931", "1931")),
        ("Was Ida Brandt born before Mina Holt?", "yes", ("1875", "1880")),
        ("Who is older, Ann Lark or Cy Dunn?", "Cy Dunn", ("1965", "1951")),
        ("Which came first, the birth of Ann Lark or the opening of the Iron Bridge?", "Iron Bridge", ("1965", "1931")),
        ("Which came first, the birth of Karl Moe or the opening of the Iron Bridge?", "Karl Moe", ("1901", "1931")),
        ("Is Mina Holt older than Ida Brandt?", "no", ("1880", "1875")),
        ("Who died younger, Tor Ek or Uwe Fels?", "Uwe Fels", ("1990", "1935")),
        ("Who was younger at death, Tor Ek or Uwe Fels?", "Uwe Fels", ("1990", "1935")),
        ("Who died at an earlier age, Varga II or Uwe Fels?", "Uwe Fels", ("1303", "1935")),
        ("Who had the shorter life, Tor Ek or Uwe Fels?", "Uwe Fels", ("1990", "1935")),
        ("Who lived to be older, Sel I or Tor Ek?", "Tor Ek", ("1309", "1990")),
        ("Who got to be older, Tor Ek or Sel I?", "Tor Ek", ("1990", "1309")),
        ("Who reached an older age, Varga II or Sel I?", "Varga II", ("1303", "1309")),
        ("Did Tor Ek die younger than Uwe Fels?", "no", ("1990", "1935")),
        ("Who died first, Tor Ek or Uwe Fels?", "Uwe Fels", ("1990", "1935")),
        ("Who is older, Uwe Fels or Tor Ek?", "Tor Ek", ("1905", "1900")),
        ("Were Eva Rud and Liv Dahl born in different years?", "yes", ("1900", "1920")),
        ("Do Eva Rud and Liv Dahl have different birth years?", "yes", ("1900", "1920")),
        ("Do Eva Rud and Liv Dahl have the same birthday?", "yes", ("3 May", "3 May")),
        ("Did Eva Rud and Liv Dahl die in different months?", "no", ("June", "June")),
        ("Do Eva Rud and Liv Dahl have different death dates?", "yes", ("1930", "1999")),
        ("Did Eva Rud and Liv Dahl die in different centuries?", "no", ("1930", "1999")),
        ("Were Eva Rud and Liv Dahl born in the same place?", "no", ("Sund", "Oslo")),
        ("Which opened first, Alba Hall or Fort Ash?", "Fort Ash", ("1930", "1710")),
        ("Which opened first, Old Hall or New Hall?", "New Hall", ("2019-03-05", "2019-02-01")),
        ("Who was born first, Varga II or Orrin III?", "Orrin III", ("1303", "1481")),
        ("Who died last, Orrin III or Varga II?", "Varga II", ("1400", "1213")),
        ("Who was born later, Varga II or Ann Lark?", "Ann Lark", ("1303", "1965")),
        ("Were Varga II and Sel I born in the same decade?", "yes", ("1303", "1309")),
        ("Did Varga II and Sel I die in the same century?", "yes", ("1213", "1275")),
        ("Did Orrin III and Varga II die in the same century?", "no", ("1400", "1213")),
        ("Do Karl Moe and Lars Nim live in the same town?", "yes", ("lives in Halvik", "lives in Halvik")),
        ("Were Ida Brandt and Mina Holt born in the same town?", "no", ("in Halvik", "in Reno")),
        ("Do Ida Brandt and Mina Holt have the same profession?", "yes", ("poet", "poet")),
        ("Do Ida Brandt and Karl Moe have the same profession?", "no", ("poet", "Karl Moe")),
        ("Who has more children, Ida Brandt or Mina Holt?", "Mina Holt", ("two", "four")),
        ("Does Ida Brandt have more children than Mina Holt?", "no", ("two", "four")),
        (
            "Which siege lasted longer, the Siege of Sund or the Siege of Reno?",
            "Siege of Sund",
            ("September", "August"),
        ),
        ("Which siege lasted shorter, Siege of Sund or Siege of Reno?", "Siege of Reno", ("September", "August")),
        ("Which band was active the longest, Grey Owls or Red Foxes?", "Red Foxes", ("1983", "1985")),
        ("Which bridge is longer, the Iron Bridge or the Stone Bridge?", "Stone Bridge", ("420", "1.2")),
        ("Which bridge is shorter, the Iron Bridge or the Stone Bridge?", "Iron Bridge", ("420", "1.2")),
    ],
)
def test_the_values_decide_and_their_sentences_are_cited(question: str, answer: str, cited: tuple[str, str]) -> None:
    found = compare(question, find_pair(question, PASSAGES))
    assert found is not None
    assert found.text == answer
    quotes = [chunk.text[slice(*sentence)] for chunk, sentence in found.evidence]
    assert all(value in quote for value, quote in zip(cited, quotes, strict=True)), quotes


@pytest.mark.parametrize(
    "question",
    [
        "Who is older, Ann Lark or Bob Hale?",
        "Which rower was born first, Bob Hale or Ann Lark?",
        "Was Ann Lark born before Bob Hale?",
        "Is Bob Hale older than Ann Lark?",
        "Were Ann Lark and Bob Hale born in the same year?",
        "Which fort burned down first, Fort Ash or Fort Oak?",
        "Which bridge opened first, the Iron Bridge or the Stone Bridge?",
        "Were Karl Moe and Lars Nim born on the same day?",
        "Which newspaper was not closed first, the Sund Herald or the Halvik Post?",
        "Which lasted longer, the Siege of Sund or Fort Ash?",
        "Who died younger, Tor Ek or Ann Lark?",
        "Were Eva Rud and Liv Dahl born at different times?",
        "Did Eva Rud and Ann Lark die in different years?",
        "Who lived to be older, Tor Ek or Varga II?",
        "Was the Iron Bridge painted before Karl Moe?",
        "Which film has the director who was born first, Night Ferry or Day Ferry?",
    ],
)
def test_without_the_dates_of_both_nothing_is_said(question: str) -> None:
    assert compare(question, find_pair(question, PASSAGES)) is None
