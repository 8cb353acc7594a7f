"""Collects the entities below nouns and prepositions, each with its role."""

from __future__ import annotations

from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.mentions import Mentions
from tetragraph.language.facts.phrases import CONCEPT, NOUN_TAGS, NUMBER
from tetragraph.language.facts.statements import Part

PREPOSITIONS: Final = frozenset(["prep", "agent", "dative"])
"""Dependency relations of prepositions to their heads."""
_PLACE, _DATE = TYPES["GPE"], TYPES["DATE"]
_AT_LIST = "in at on near within around outside inside throughout across"
_AT = frozenset(_AT_LIST.split())
_DEPTH = 12


class Collector:
    """Collects the parts and words of one statement, and the verbs below its prepositions with the role they give.

    Brackets that open after the statement's first word are left out, as they form a statement of their own.
    """

    def __init__(self, mentions: Mentions, origin: int) -> None:
        self.parts: list[Part] = []
        self.words = [origin]
        self.verbs: list[tuple[int, str]] = []
        self._mentions = mentions
        self._tree = mentions.tree
        self._brackets = mentions.tree.depths[origin]

    def bounds(self) -> tuple[int, int]:
        """First and last word of the statement, extended to close the brackets and quotations that open in it."""
        tree, first, last = self._tree, min(self.words), max(self.words)
        while tree.depths[last] > self._brackets and last + 1 < len(tree.words) and tree.words[last] != ")":
            last += 1
        if last + 1 < len(tree.words) and tree.words[last + 1] == '"' and tree.slice(first, last).count('"') % 2:
            last += 1
        return first, last

    def add_noun(self, place: int, role: str, depth: int = 0) -> None:
        """Add a noun with its dependents: conjuncts in its role, prepositions, possessors, names inside the phrase."""
        tree = self._tree
        if depth > _DEPTH or tree.depths[place] > self._brackets:
            return
        mention = self._mentions.at(place)
        first = last = place
        if mention is not None:
            first, last = mention.first, mention.last
            self.parts.append(Part(self._role(place, role), mention))
        self.words += [first, last]
        self._add_inner_names(place)
        for child in tree.children[place]:
            if tree.relations[child] in ("det", "predet"):
                self.words.append(child)
            elif tree.relations[child] == "poss":
                self.add_noun(child, "of", depth + 1)
            elif not first <= child <= last:
                self._add_dependent(child, role, depth + 1)

    def _add_dependent(self, place: int, role: str, depth: int) -> None:
        """Add a dependent of a noun that is outside its name."""
        tree, relation = self._tree, self._tree.relations[place]
        is_noun = tree.tags[place] in NOUN_TAGS
        if relation in PREPOSITIONS:
            self.add_preposition(place, depth)
        elif (relation == "conj" and is_noun) or (relation == "appos" and self._is_list(place)):
            self.add_noun(place, role, depth)
        elif relation in ("nummod", "npadvmod", "nmod") and tree.name_at[place] >= 0:
            self.add_noun(place, "modifier", depth)

    def add_preposition(self, place: int, depth: int = 0) -> None:
        """Add the nouns below a preposition, and the verbs ("for directing")."""
        tree = self._tree
        if depth > _DEPTH or tree.depths[place] > self._brackets:
            return
        self.words.append(place)
        word = "agent" if tree.relations[place] == "agent" else tree.words[place].lower()
        for child in tree.children[place]:
            relation = tree.relations[child]
            if relation == "pobj":
                self.add_noun(child, word, depth + 1)
            elif relation in PREPOSITIONS or (relation == "conj" and not tree.tags[child].startswith("VB")):
                self.add_preposition(child, depth + 1)
            elif relation == "pcomp":
                self.words.append(child)
                self.verbs.append((child, word))

    def _is_list(self, place: int) -> bool:
        """Whether an apposition continues with a name ("Berlin, Germany") instead of describing something."""
        phrase = self._mentions.phrase(place)
        return phrase is not None and phrase.type not in (CONCEPT, NUMBER)

    def _role(self, place: int, word: str) -> str:
        """``time`` or ``place`` according to the type of the name, otherwise the word."""
        number = self._tree.name_at[place]
        kind = self._tree.names[number].type if number >= 0 else ""
        if kind == _DATE and word != "subject":
            return "time"
        return "place" if kind == _PLACE and word in _AT else word

    def _add_inner_names(self, head: int) -> None:
        """Add names inside another's phrase: "American" in "American film director", "Oslo" in "University of Oslo"."""
        tree, phrase = self._tree, self._mentions.phrase(head)
        if phrase is None:
            return
        numbers = {tree.name_at[place] for place in range(phrase.first, phrase.last + 1)}
        for number in sorted(numbers - {-1, tree.name_at[head]}):
            name = tree.names[number]
            inside = phrase.first <= name.first and name.last <= phrase.last
            if inside and name.type != NUMBER and (mention := self._mentions.of_name(number)):
                self.parts.append(Part("of" if name.first > head else "modifier", mention))
