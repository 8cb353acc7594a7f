"""Resolves the nouns and pronouns of a chunk to entities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.phrases import NOUN_TAGS, Phrase, clean_name, is_proper, names_something, phrase_at
from tetragraph.language.facts.topic import FEMALE, MALE, MANY, PERSON, THING, WORKS, Topic
from tetragraph.language.facts.tree import Tree

RELATIVE_TAGS: Final = frozenset(["WDT", "WP", "WP$"])
"""Tags of relative pronouns."""
_DEFINITE = frozenset(["the", "this"])
_SUBJECTS = frozenset(["nsubj", "nsubjpass"])
_NOT_MEANT_BY_IT = frozenset([PERSON, TYPES["DATE"], TYPES["NORP"], "OTHER"])
_MEANT_BY_WORK = frozenset(["", TYPES["WORK_OF_ART"], TYPES["PRODUCT"]])
_MEANT_BY_THEY = frozenset([TYPES["ORG"], TYPES["NORP"]])
_PROPER = frozenset(TYPES.values()) - {TYPES["DATE"]}
_SENTENCES_BACK = 4
_NAMED, _RESOLVED, _DEFINITE_NOUN, _GUESSED = 0.9, 0.8, 0.75, 0.6


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity that one place of the text denotes.

    Attributes:
        place: Word that denotes the entity.
        first: First word of the name or pronoun.
        last: Last word of the name or pronoun.
        name: Name of the entity: the pronoun's antecedent, not the pronoun.
        type: Type of the entity; see :class:`tetragraph.language.facts.model.Participant`.
        confidence: Confidence that the entity is denoted: 0.9 for a name or phrase itself, 0.8 for a pronoun that
            denotes the title, 0.75 for a phrase such as "the film" that does, 0.6 for a pronoun that denotes another
            name.
        is_proper: Whether the text names it here with a proper noun.
    """

    place: int
    first: int
    last: int
    name: str
    type: str
    confidence: float
    is_proper: bool

    @property
    def is_resolved(self) -> bool:
        """Whether the text uses other words than the name."""
        return self.confidence < _NAMED


class Mentions:
    """The mentions of one chunk.

    The rule for pronouns: "he" and "she" denote the title if it names a person of that gender or of an unknown one,
    otherwise the last person named before. "It" denotes the title if that is not a person, otherwise the last
    non-person named before. "They" denotes the last group or organisation named as a subject before, otherwise the
    title if that is not a person. "Before" means as a subject in the same sentence (or anywhere in it, for a
    possessive), otherwise in one of the three preceding sentences, subjects first. A relative pronoun denotes the noun
    that its clause modifies. "The film" denotes the title if the text states that the title is a film, or nothing that
    contradicts it.
    """

    def __init__(self, tree: Tree, topic: Topic) -> None:
        self.tree = tree
        self.topic = topic
        self._known: dict[int, Mention | None] = {}
        self._phrases: dict[int, Phrase | None] = {}

    def at(self, place: int) -> Mention | None:
        """The entity that a noun or pronoun denotes; None if it denotes nothing that could take part in a fact."""
        if place not in self._known:
            self._known[place] = None  # a relative clause that modifies its own pronoun denotes nothing
            self._known[place] = self._find(place)
        return self._known[place]

    def phrase(self, place: int) -> Phrase | None:
        """The noun phrase around a word."""
        if place not in self._phrases:
            self._phrases[place] = phrase_at(self.tree, place)
        return self._phrases[place]

    def of_name(self, number: int) -> Mention | None:
        """The mention of an entity of the tree, by its own words alone."""
        tree, name = self.tree, self.tree.names[number]
        text = clean_name(tree.slice(name.first, name.last))
        if not names_something(text):
            return None
        if self.topic.name and self.topic.is_named_by(text):
            return self._as_topic(name.last, name.first, name.last, _NAMED)
        return Mention(name.last, name.first, name.last, text, name.type, _NAMED, name.type in _PROPER)

    def _find(self, place: int) -> Mention | None:
        tag, word = self.tree.tags[place], self.tree.words[place].lower()
        if tag in RELATIVE_TAGS:
            return self._resolve_relative(place)
        if tag in ("PRP", "PRP$"):
            return self._resolve_pronoun(place, word)
        if tag not in NOUN_TAGS and self.tree.name_at[place] < 0:
            return None
        phrase = self.phrase(place)
        if phrase is None:
            return None
        if self.topic.name and self._means_topic(place, phrase):
            if self.topic.is_named_by(phrase.name) or self.is_opening_subject(place):
                return self._as_topic(place, phrase.first, phrase.last, _NAMED)
            return self._as_topic(place, phrase.first - 1, phrase.last, _DEFINITE_NOUN)
        named = is_proper(self.tree, phrase)
        return Mention(place, phrase.first, phrase.last, phrase.name, phrase.type, _NAMED, named)

    def _means_topic(self, place: int, phrase: Phrase) -> bool:
        if self.topic.is_named_by(phrase.name):
            return True
        if self.is_opening_subject(place) and self.topic.is_extended_by(phrase.name):
            return True
        noun = phrase.name.lower()
        if self.tree.tags[place] != "NN" or phrase.first == 0:
            return False
        if noun not in self.topic.nouns and not (noun in WORKS and self.topic.type in _MEANT_BY_WORK):
            return False
        return self.tree.words[phrase.first - 1].lower() in _DEFINITE and not self._is_specified(place)

    def is_opening_subject(self, place: int) -> bool:
        """Whether a word is the subject of a definition in the chunk's first sentence."""
        tree = self.tree
        if tree.sentences[place] > 0 or tree.relations[place] not in _SUBJECTS:
            return False
        return any(tree.relations[child] == "attr" for child in tree.children[tree.heads[place]])

    def _is_specified(self, place: int) -> bool:
        """Whether "of", a name or a clause after the noun specifies it."""
        return any(
            self.tree.relations[c] in ("prep", "relcl", "acl", "appos", "poss", "compound")
            for c in self.tree.children[place]
        )

    def as_topic(self, mention: Mention) -> Mention:
        """The mention with the title as its entity."""
        return replace(mention, name=self.topic.name, type=self.topic.type, confidence=_DEFINITE_NOUN)

    def _as_topic(self, place: int, first: int, last: int, confidence: float) -> Mention:
        return Mention(place, first, last, self.topic.name, self.topic.type, confidence, is_proper=True)

    def _resolve_relative(self, place: int) -> Mention | None:
        """The noun that the clause of a relative pronoun modifies."""
        tree, clause = self.tree, place
        while tree.relations[clause] != "relcl":
            if tree.heads[clause] == clause or tree.sentences[clause] != tree.sentences[place]:
                return None
            clause = tree.heads[clause]
        found = self.identity(tree.heads[clause])
        if found is None:
            return None
        return replace(found, place=place, first=place, last=place, confidence=min(found.confidence, _RESOLVED))

    def identity(self, place: int) -> Mention | None:
        """The entity X of a noun in "X is a …", "X is known as a …" and "X, a …"; otherwise that of the noun itself."""
        tree = self.tree
        for _ in range(3):
            head = tree.heads[place]
            if tree.relations[place] == "appos":
                if self._is_name(place):
                    break
                place = head
                continue
            verb = tree.heads[head] if tree.words[head].lower() == "as" else head
            subjects = [c for c in tree.children[verb] if tree.relations[c] in _SUBJECTS]
            if tree.relations[place] not in ("attr", "pobj") or (verb == head) == (tree.relations[place] == "pobj"):
                break
            if not subjects or self.at(subjects[0]) is None:
                break
            place = subjects[0]
        return self.at(place)

    def _is_name(self, place: int) -> bool:
        phrase = self.phrase(place)
        return phrase is not None and is_proper(self.tree, phrase)

    def _resolve_pronoun(self, place: int, word: str) -> Mention | None:
        topic = self.topic
        if word in MALE | FEMALE:
            gender = "m" if word in MALE else "f"
            if topic.is_person and topic.gender in ("", gender):
                return self._as_topic(place, place, place, _RESOLVED)
            return self._find_last_name(place, frozenset([PERSON]))
        if word in THING:
            if topic.name and not topic.is_person:
                return self._as_topic(place, place, place, _RESOLVED)
            return self._find_last_name(place, frozenset(TYPES.values()) - _NOT_MEANT_BY_IT)
        if word in MANY:
            found = self._find_last_name(place, _MEANT_BY_THEY, is_subject=True)
            if found is None and topic.name and not topic.is_person:
                return self._as_topic(place, place, place, _GUESSED)
            return found
        return None

    def _find_last_name(self, place: int, types: frozenset[str], *, is_subject: bool = False) -> Mention | None:
        """The last name of one of the types before a word, sentence by sentence backwards; subjects before others.

        In the word's own sentence, only a possessive can denote a name that is not a subject.
        """
        tree, here = self.tree, self.tree.sentences[place]
        heads = [self._head(n.first, n.last) for n in tree.names if n.last < place and n.type in types]
        for sentence in range(here, max(-1, here - _SENTENCES_BACK), -1):
            inside = [head for head in reversed(heads) if tree.sentences[head] == sentence]
            subjects = [head for head in inside if tree.relations[head] in _SUBJECTS]
            others = [] if is_subject or (sentence == here and tree.tags[place] != "PRP$") else inside
            for head in (*subjects, *others):
                phrase = self.phrase(head)
                if phrase is not None and not self.topic.is_named_by(phrase.name):
                    return Mention(place, place, place, phrase.name, phrase.type, _GUESSED, is_proper=True)
        return None

    def _head(self, first: int, last: int) -> int:
        """Head word of a name."""
        heads = self.tree.heads
        return next((p for p in range(last, first - 1, -1) if not first <= heads[p] <= last or heads[p] == p), last)
