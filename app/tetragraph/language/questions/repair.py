"""Corrections of systematic errors that a small dependency parser makes in questions.

Trained on statements, the parser takes the verb at the end of "did the city where Anna died fall" for a part of the
clause before it, and attaches relative clauses to the wrong noun.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tetragraph.language.questions.tree import BE, CLAUSES, NOUNS, QUESTION_TAGS, QuestionTree, Word

_MISPLACED = CLAUSES | {"advcl", "ccomp", "csubj"}
_PARTICIPLES = frozenset(["acl", "advcl", "pcomp", "xcomp"])
"""Relations that the parser gives to a participle behind the noun that it describes."""
_DO = frozenset(["did", "does", "do"])
_CLAUSE_ENDS = frozenset(["VBN", "VBD", "VBZ", "VBP", "IN", "RP", ","])
"""Tags of words after which a clause may end."""
_AFTER_WHICH = NOUNS | {"CD", "JJ", "NNP"}
"""Tags of the word behind a "which" that asks, and is no pronoun."""
_SUBJECTS = frozenset(["nsubj", "nsubjpass", "dobj", "attr"])
_INSIDE_NOUN = frozenset(["det", "compound", "amod", "poss", "nmod"])


class Repair:
    """Corrects the parser's errors in questions."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = list(words)

    def repair(self) -> list[Word]:
        """Correct the dependencies, and return the words."""
        self._restore_verb_tagged_as_noun()
        self._restore_verb_of_sentence()
        self._move_clauses()
        self._move_modifiers()
        return self.words

    def _attach(self, place: int, head: int, relation: str, tag: str = "") -> None:
        word = self.words[place]
        self.words[place] = replace(word, head=head, relation=relation, tag=tag or word.tag)

    def _restore_verb_tagged_as_noun(self) -> None:
        """Tag the last word of "did the band form" as a verb if the parser takes it for the noun in "band form"."""
        tree = QuestionTree(self.words)
        for root in tree.roots:
            children = tree.children[root]
            compounds = [c for c in children if self.words[c].relation == "compound" and self.words[c].tag in NOUNS]
            if self.words[root].tag not in NOUNS or not compounds or not self._has_do(children):
                continue
            subject = compounds[-1]
            self._attach(root, root, "ROOT", "VB")
            self._attach(subject, root, "nsubj")
            for child in children:
                if child < subject and self.words[child].relation in _INSIDE_NOUN:
                    self._attach(child, subject, self.words[child].relation)
                elif child > root and self.words[child].relation in CLAUSES:
                    self._attach(child, subject, "relcl")

    def _has_do(self, places: Sequence[int]) -> bool:
        return any(self.words[place].text.lower() in _DO for place in places)

    def _restore_verb_of_sentence(self) -> None:
        """Restore the sentence's verb if the clause before took it: "did the city where Anna died fall"."""
        tree = QuestionTree(self.words)
        for root in tree.roots:
            text = self.words[root].text.lower()
            if text not in _DO and text not in BE:
                continue
            verb = self._verb_inside(tree, root, is_participle=text in BE)
            if verb is None:
                continue
            for place in [place for place in tree.below(root) if place > verb]:
                if self.words[place].head < verb and self.words[place].relation != "punct":
                    self._attach(place, verb, self.words[place].relation)
            for child in tree.children[verb]:
                if child < verb:
                    self._attach(child, self.words[verb].head, "dobj")
            self._attach(verb, root, "xcomp", "VBN" if text in BE else "VB")

    def _verb_inside(self, tree: QuestionTree, root: int, *, is_participle: bool) -> int | None:
        """The first word below the subject that can only be the sentence's verb."""
        subjects = [c for c in tree.children[root] if c > root and self.words[c].relation in _SUBJECTS]
        if any(self.words[c].tag.startswith("VB") and self.words[c].relation != "aux" for c in tree.children[root]):
            return None
        for subject in subjects:
            for place in sorted(tree.below(subject)):
                if place > subject and self._is_verb_of_sentence(tree, place, is_participle):
                    return place
        return None

    def _is_verb_of_sentence(self, tree: QuestionTree, place: int, is_participle: bool) -> bool:
        word, before = self.words[place], self.words[place - 1]
        is_last = place + 2 >= len(self.words)
        if is_participle:
            is_bare = not any(self.words[c].relation in ("aux", "auxpass") for c in tree.children[place])
            return word.tag == "VBN" and is_bare and (is_last or before.tag not in NOUNS) and before.tag[:2] != "VB"
        if word.tag in ("NN", "VB", "VBP") and not word.is_name:
            is_after_be = before.text.lower() in BE
            return before.is_name or (before.tag in _CLAUSE_ENDS and not (is_after_be and word.tag == "NN"))
        return False

    def _move_clauses(self) -> None:
        """Attach clauses to the common noun directly before them instead of a word further left or a verb.

        A clause that asks is no part of the sentence before it.
        """
        tree = QuestionTree(self.words)
        for place, word in enumerate(tree.words):
            if word.relation not in _MISPLACED:
                continue
            first = min(tree.below(place))
            if self._asks(first):
                self._separate(place)
                continue
            noun = first - 1
            while noun >= 0 and self.words[noun].text == ",":
                noun -= 1
            if noun < 0 or self.words[noun].tag not in NOUNS or noun in (word.head, place):
                continue
            opens = {self.words[first].tag, self.words[min(first + 1, len(self.words) - 1)].tag}
            is_relative = bool(opens & QUESTION_TAGS) and self.words[first].text != "when"
            if (word.relation in CLAUSES and word.head < noun) or is_relative:
                self._attach(place, noun, "relcl")

    def _move_modifiers(self) -> None:
        """Attach "sharing a border with X" and "adjacent to X" to the common noun directly before them."""
        for place, word in enumerate(self.words):
            noun = place - 1
            is_participle = word.tag == "VBG" and word.relation in _PARTICIPLES
            is_adjective = word.relation == "amod" and word.head < place
            if not (is_participle or is_adjective) or noun < 0 or self.words[noun].tag not in NOUNS:
                continue
            if word.head not in (noun, place) and noun not in QuestionTree(self.words).below(place):
                self._attach(place, noun, "acl" if is_participle else "amod")

    def _asks(self, place: int) -> bool:
        """Whether a clause begins with the question: "In the debate over the film, which director defended it?"."""
        word, before, behind = self.words[place], self.words[max(place - 1, 0)], self.words[place + 1 : place + 2]
        if word.text != "which" or any(earlier.tag in QUESTION_TAGS for earlier in self.words[:place]):
            return False
        opens = before.text == "," and any(next_word.tag in _AFTER_WHICH for next_word in behind)
        return opens or word.relation == "det"

    def _separate(self, clause: int) -> None:
        """Make a clause a sentence of its own, with the mark at its end."""
        self._attach(clause, clause, "ROOT")
        marks = [place for place, word in enumerate(self.words) if place > clause and word.tag == "."]
        for mark in marks[:1]:
            self._attach(mark, clause, "punct")
