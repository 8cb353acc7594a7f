"""Known entities of a corpus: names with aliases and types, which a user gives.

They take part wherever names are: in the entity dictionary, in the resolution of names in facts, in types, and in
questions. A form is a name or an alias in its normalised form; each belongs to one entity.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from tetragraph.errors import InvalidInput
from tetragraph.language.lexicon.names import MAX_NAME, WORD, normalise_name, normalise_word
from tetragraph.language.lexicon.phrases import LONGEST
from tetragraph.model import content_id

SETTING: Final = "gazetteer"
"""Key of the settings of a corpus."""
MOST_FORMS: Final = 20_000
"""Largest number of names and aliases; they are read with the settings of the corpus."""


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity of a gazetteer.

    Attributes:
        name: Its name, as it is shown.
        type: Its type, such as ``ORGANIZATION``; empty to let the parser decide.
        aliases: Other names, in ascending order.
    """

    name: str
    type: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gazetteer:
    """The known entities of a corpus, in order of name.

    Raises:
        InvalidInput: a name has no letter or digit or is too long, a form is that of two entities, or there are too
            many.
    """

    entities: tuple[KnownEntity, ...] = ()

    def __post_init__(self) -> None:
        taken: dict[str, str] = {}
        for entity in self.entities:
            for form in (entity.name, *entity.aliases):
                key = normalise_name(form)
                if not key or len(key) > MAX_NAME or len(key.split(" ")) > LONGEST:
                    raise InvalidInput(
                        f"a known name must have a letter or digit, at most {MAX_NAME} characters and {LONGEST} words, "
                        f"got {form!r:.200}"
                    )
                if taken.setdefault(key, entity.name) != entity.name:
                    raise InvalidInput(
                        f"a known name must belong to one entity, got {form!r} of {taken[key]!r} and {entity.name!r}"
                    )
        if len(taken) > MOST_FORMS:
            raise InvalidInput(f"a gazetteer has at most {MOST_FORMS:,} names and aliases, got {len(taken):,}")

    def __bool__(self) -> bool:
        return bool(self.entities)

    @cached_property
    def by_form(self) -> Mapping[str, KnownEntity]:
        """The entity of each normalised name and alias."""
        return {normalise_name(form): one for one in self.entities for form in (one.name, *one.aliases)}

    @cached_property
    def free_forms(self) -> frozenset[str]:
        """Normalised forms that are given with a small initial, and so need no capital in a text."""
        forms = (form for one in self.entities for form in (one.name, *one.aliases))
        return frozenset(normalise_name(form) for form in forms if form[:1] == form[:1].lower())

    @cached_property
    def by_id(self) -> Mapping[str, KnownEntity]:
        """The entities by the id of their node."""
        return {content_id(normalise_name(one.name)): one for one in self.entities}

    def canonical(self, form: str) -> str:
        """The normalised name of the entity of a normalised form; the form itself where it is not known."""
        known = self.by_form.get(form)
        return normalise_name(known.name) if known else form

    def expand(self, text: str) -> str:
        """A question in which each alias is followed by the name of its entity, unless the question has that, too.

        >>> Gazetteer((KnownEntity("Reyer Academy", "", ("RA",)),)).expand("Who founded RA?")
        'Who founded RA (Reyer Academy)?'
        """
        if not self:
            return text
        tokens = [(match.start(), match.end(), normalise_word(match[0])) for match in WORD.finditer(text)]
        has_capitals = text != text.lower()
        seen: set[str] = set()
        inserts: list[tuple[int, str]] = []
        place = 0
        while place < len(tokens):
            length = self._longest(text, tokens, place, has_capitals=has_capitals)
            if length:
                form = " ".join(word for _, _, word in tokens[place : place + length])
                known = self.by_form[form]
                if form != normalise_name(known.name):
                    inserts.append((tokens[place + length - 1][1], known.name))
                else:
                    seen.add(known.name)
            place += max(length, 1)
        first = {name: end for end, name in reversed(inserts) if name not in seen}
        for name, end in sorted(first.items(), key=lambda one: -one[1]):
            text = f"{text[:end]} ({name}){text[end:]}"
        return text

    def _longest(self, text: str, tokens: Sequence[tuple[int, int, str]], place: int, *, has_capitals: bool) -> int:
        """Number of words of the longest known form that begins at a word; 0 for none."""
        is_capital = text[tokens[place][0]].isupper() or not has_capitals
        for length in range(min(LONGEST, len(tokens) - place), 0, -1):
            form = " ".join(word for _, _, word in tokens[place : place + length])
            if form in self.by_form and (is_capital or form in self.free_forms):
                return length
        return 0

    @property
    def sha256(self) -> str:
        """Hash of names, types and aliases, as manifests have it."""
        return hashlib.sha256(self._text.encode()).hexdigest()

    @property
    def setting(self) -> dict[str, Any]:
        """The value of the setting of a corpus."""
        packed = base64.b64encode(zlib.compress(self._text.encode(), 9)).decode()
        return {"entities": len(self.entities), "sha256": self.sha256, "data": packed}

    @property
    def _text(self) -> str:
        return json.dumps([[one.name, one.type, one.aliases] for one in self.entities], ensure_ascii=False)


NO_GAZETTEER: Final = Gazetteer()


def gazetteer_of(settings: Mapping[str, Any]) -> Gazetteer:
    """The gazetteer in the settings of a corpus; an empty one where there is none."""
    stored = settings.get(SETTING)
    return _unpack(stored["data"]) if stored else NO_GAZETTEER


@lru_cache(maxsize=16)
def _unpack(data: str) -> Gazetteer:
    rows = json.loads(zlib.decompress(base64.b64decode(data)))
    return Gazetteer(tuple(KnownEntity(name, kind, tuple(aliases)) for name, kind, aliases in rows))
