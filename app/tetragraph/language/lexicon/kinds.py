"""Words for kinds of people and works, each with words for narrower kinds: whoever is a novelist is a writer."""

from __future__ import annotations

from typing import Final

from tetragraph.language.lexicon.word_tables import read_table
from tetragraph.language.lexicon.words import stem

_TABLE: Final = """
actor: actress
artist: illustrator painter photographer printmaker sculptor
athlete: boxer cyclist footballer golfer gymnast runner skier sprinter swimmer wrestler
author: essayist novelist playwright poet writer
band: duo quartet quintet trio
director: filmmaker
dramatist: playwright
film: movie
filmmaker: director
group: band duo quartet quintet trio
magazine: journal periodical
movie: film
musician: bassist cellist composer drummer guitarist keyboardist pianist rapper saxophonist singer songwriter violinist
    vocalist
publication: journal magazine newspaper periodical
scientist: astronomer biologist botanist chemist geologist mathematician physicist zoologist
singer: vocalist
sportsperson: athlete boxer cyclist footballer golfer player swimmer wrestler
writer: author biographer dramatist essayist journalist lyricist novelist playwright poet screenwriter songwriter
"""


def _read_table() -> dict[str, frozenset[str]]:
    return {stem(kind): frozenset(map(stem, others)) for kind, others in read_table(_TABLE)}


_NARROWER: Final = _read_table()


def narrower(word: str) -> frozenset[str]:
    """Stems of words for narrower kinds than that of a stem; empty for a word that is not listed.

    >>> stem("novelist") in narrower(stem("writers"))
    True
    """
    return _NARROWER.get(word, frozenset())
