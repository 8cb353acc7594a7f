"""Converts the tree of a question to its chain of steps."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from tetragraph.language.questions.steps import EMPTY, MEASURES, NAMED_WITH_OF, Step, has_content, make_step
from tetragraph.language.questions.tree import BE, CLAUSES, NOUNS, QUESTION_TAGS, QuestionTree

_SHORTEST_CLAUSE = 5
"""Smallest number of words of a relative clause without a name that describes an entity."""
_DETERMINERS = frozenset(["the", "that", "this", "these", "those"])
_DEMONSTRATIVES = frozenset(["this", "that", "these", "those"])
_DIRECT = frozenset(["compound", "appos", "nmod", "amod"])
_APART = frozenset(["conj", "cc", "predet", "preconj"])
"""Dependency relations of words that are not part of the phrase of their head."""
_SUPERLATIVES = frozenset(["JJS", "RBS"])
_SUBJECTS = frozenset(["nsubj", "nsubjpass"])
_ASKING_LAST = frozenset(["who", "whom", "when", "where"])
"""Words that are interrogative at the end of a question, and open a clause elsewhere."""
_ROLE_NOUNS = """
actor actress architect artist author birthplace composer creator designer developer director discoverer distributor
founder hometown inventor killer maker manufacturer narrator navigator owner performer producer publisher singer
songwriter spouse star successor winner writer
"""
_ROLES = frozenset(_ROLE_NOUNS.split())
"""Nouns that are described by a name before them ("the Jaws director"), unlike others ("the Jaws poster")."""
_ADDRESSING = frozenset(["We", "me", "my", "our", "us", "we", "you", "your"])
"""Words of a sentence or phrase that speaks to the reader ("We need to know …", "the best of your abilities")."""


class Chain:
    """Collects the steps of a tree.

    A common noun that is described by a name, by another such noun or by a clause is a variable: its phrase becomes a
    step, and is replaced by ``#n`` in the phrases around it.
    """

    def __init__(self, tree: QuestionTree) -> None:
        self._tree: Final = QuestionTree(tree.words)  # its branches are removed below
        self._words: Final = tree.words
        self._steps: Final[list[Step]] = []
        self._number: Final[dict[int, int]] = {}
        self._undescribed: Final[set[int]] = set()

    def steps(self) -> list[Step]:
        """The steps; none or one if the question has no intermediate answer."""
        roots = self._asking_sentences()
        places: Iterable[int] = sorted(place for root in roots for place in self._tree.below(root))
        noun, clause = self._asking_clause()
        if clause:
            places = self._statement(noun, clause)
            for child in self._tree.children[clause]:
                self._visit(child)
        else:
            for root in roots:
                self._visit(root)
        text = self._text(places)
        if has_content(text):
            self._steps.append(make_step(text))
        return self._steps

    def _asking_sentences(self) -> list[int]:
        """Roots of the sentences that are taken apart: no sentence behind the last question mark, none to the reader.

        Those tell how to answer ("Round to one decimal place."). All sentences of a text without a question mark ask.
        """
        roots = self._tree.roots
        sentences = [list(self._tree.below(root)) for root in roots]
        is_marked = [any(self._words[place].text == "?" for place in places) for places in sentences]
        if not any(is_marked):
            return roots
        last = max(root for root, marked in zip(roots, is_marked, strict=True) if marked)
        described = zip(roots, sentences, is_marked, strict=True)
        return [root for root, places, marked in described if marked or (root < last and not self._addresses(places))]

    def _addresses(self, places: Iterable[int]) -> bool:
        """Whether words speak to the reader."""
        return any(self._words[place].text in _ADDRESSING for place in places)

    def _asking_clause(self) -> tuple[int, int]:
        """Noun and clause of a statement that asks in a clause: "a film with an actress who was born where?"."""
        for place in range(len(self._words)):
            clause = self._clause_above(place) if self._asks(place) else 0
            if clause and place != min(self._tree.below(clause)):
                return self._words[clause].head, clause
        return 0, 0

    def _asks(self, place: int) -> bool:
        """Whether a word is interrogative at its place; other question words open a clause."""
        word, text = self._words[place], self._words[place].text.lower()
        if text == "which":
            return word.relation == "det"
        is_last = place + 1 == len(self._words) or self._words[place + 1].tag == "."
        return text in ("what", "how") or (text in _ASKING_LAST and is_last)

    def _clause_above(self, place: int) -> int:
        while self._words[place].head != place:
            head = self._words[place].head
            if self._words[place].relation in CLAUSES and self._words[head].tag in NOUNS:
                return place
            place = head
        return 0

    def _statement(self, noun: int, clause: int) -> list[int]:
        """Convert the statement around an interrogative clause to a step; the rest is its noun and the clause."""
        asking = sorted(self._tree.below(clause))
        self._tree.children[noun].remove(clause)
        self._undescribed.add(noun)
        for root in self._tree.roots:
            self._visit(root)
        marks = [place for place, word in enumerate(self._words) if word.tag == "."]
        self._add(noun, self._text(place for place in range(len(self._words)) if place not in (*asking, *marks)))
        opening = [place for place in asking if self._words[place].tag in ("WDT", "WP")][:1]
        if opening and self._words[opening[0]].relation in _SUBJECTS:
            asking.remove(opening[0])
        return [noun, *asking, *marks[-1:]]

    def _add(self, place: int, text: str) -> None:
        self._steps.append(make_step(text, self._words[place].text.lower()))
        self._number[place] = len(self._steps)

    def _visit(self, top: int) -> None:
        """Number the variables at and below a word, inner ones first, otherwise from left to right."""
        for place in reversed(list(self._tree.below(top))):
            known = self._meant_before(place)
            if known:
                self._number[place] = known
            elif place not in self._undescribed and self._is_variable(place):
                self._number_variable(place)

    def _number_variable(self, place: int) -> None:
        """Add the step of a variable, or give it the number of the step that has the same answer."""
        same = self._equals(place)
        if same:
            self._steps[same - 1] = replace(self._steps[same - 1], head=self._words[place].text.lower())
            self._number[place] = same
        else:
            self._add(place, self._text(sorted(self._own(place))))

    def _meant_before(self, place: int) -> int:
        """The step to whose answer a phrase such as "this country" refers; 0 for none."""
        children = self._tree.children[place]
        if len(children) != 1 or self._words[children[0]].text.lower() not in _DEMONSTRATIVES:
            return 0
        noun = self._words[place].text.lower()
        return next((number for number, step in enumerate(self._steps, 1) if step.head == noun), 0)

    def _is_variable(self, place: int) -> bool:
        words, children = self._words, self._tree.children[place]
        if words[place].tag not in NOUNS or words[place].text.lower() in EMPTY | MEASURES:
            return False
        if self._addresses(self._own(place)):
            return False
        if self._is_asked_for(place) or self._is_apposition(place) or self._is_predicate(place):
            return False
        clauses = [child for child in children if words[child].relation in CLAUSES]
        if any(len(list(self._tree.below(clause))) >= _SHORTEST_CLAUSE for clause in clauses):
            return True
        is_definite = any(
            words[c].text.lower() in _DETERMINERS or (words[c].relation == "poss" and words[c].tag != "PRP$")
            for c in children
        )
        return (bool(clauses) or is_definite) and self._is_described(place)

    def _equals(self, place: int) -> int:
        """The step whose answer a phrase denotes: "the city that is the capital of Norway"; 0 for none."""
        clauses = [child for child in self._tree.children[place] if self._words[child].relation in CLAUSES]
        if len(clauses) != 1 or self._words[clauses[0]].text not in BE:
            return 0
        parts = {self._words[child].relation: child for child in self._tree.children[clauses[0]]}
        subject = self._words[parts.get("nsubj", place)]
        if not parts.keys() <= {"nsubj", "attr", "advmod"} or subject.tag not in QUESTION_TAGS:
            return 0
        return self._number.get(parts.get("attr", place), 0)

    def _is_asked_for(self, place: int) -> bool:
        """Whether the question asks for the noun itself: "which country"."""
        return any(self._words[child].tag in QUESTION_TAGS for child in self._tree.children[place])

    def _is_described(self, place: int) -> bool:
        """Whether a name, another variable or a superlative specifies the noun."""
        children = self._tree.children[place]
        is_quality = self._words[self._words[place].head].text == "with"
        if not is_quality and any(self._words[below].tag in _SUPERLATIVES for below in self._own(place)):
            return True
        is_role = self._words[place].text.lower() in _ROLES
        if is_role and not self._precedes_name(place) and any(self._words[child].is_name for child in children):
            return True
        return any(self._is_anchored(child) for child in children)

    def _precedes_name(self, place: int) -> bool:
        """Whether a name stands behind a word: "the director Anna Lind"."""
        return any(word.is_name for word in self._words[place + 1 : place + 2])

    def _is_predicate(self, place: int) -> bool:
        """Whether the noun only describes something else: "known as the father of"."""
        head = self._words[self._words[place].head]
        return self._words[place].relation == "pobj" and head.text == "as" and self._words[head.head].tag[:2] == "VB"

    def _is_apposition(self, place: int) -> bool:
        """Whether a name with the same meaning follows: "the city of Bergen"."""
        if self._words[place].text.lower() not in NAMED_WITH_OF:
            return False
        of = [child for child in self._tree.children[place] if self._words[child].text == "of"]
        return any(self._words[child].is_name for child in itertools.chain(*(self._tree.children[c] for c in of)))

    def _is_anchored(self, child: int) -> bool:
        """Whether a name or another variable is at or below a word, other than as a mere apposition."""
        if self._words[child].relation in _APART:
            return False
        if self._words[child].relation in _DIRECT and self._words[child].is_name:
            return False
        return any(self._words[place].is_name or place in self._number for place in self._tree.below(child))

    def _own(self, place: int) -> set[int]:
        """Words of a phrase, without dependents that belong to the sentence around it."""
        apart = [child for child in self._tree.children[place] if self._is_apart(child)]
        return set(self._tree.below(place)).difference(*map(self._tree.below, apart))

    def _is_apart(self, child: int) -> bool:
        """Possessive marks, coordinated phrases, and the predicate in "was Anna's mother a citizen of"."""
        words, word = self._words, self._words[child]
        if word.tag == "POS" or word.relation in _APART:
            return True
        if word.relation != "appos" or word.is_name or words[min(self._tree.below(child)) - 1].text == ",":
            return False
        return any(words[below].text in ("a", "an") for below in self._tree.children[child])

    def _text(self, places: Iterable[int]) -> str:
        """The words at ``places``, with the outermost variables among them as ``#n``."""
        wanted = list(places)
        inside = set(wanted)
        shown: dict[int, int] = {}
        for outer in sorted(self._number, key=self._number.__getitem__)[::-1]:
            if outer in inside and outer not in shown:  # inside another variable, all its words are shown already
                for place in self._own(outer):
                    shown.setdefault(place, outer)
        parts: list[str] = []
        done: set[int] = set()
        for place in wanted:
            variable = shown.get(place)
            if variable is None:
                parts.append(self._words[place].text + self._words[place].space)
            elif variable not in done:
                parts.append(f" #{self._number[variable]} ")
                done.add(variable)
        return "".join(parts)
