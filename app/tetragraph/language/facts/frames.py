"""Finds the statements of verbs: one for each verb, with all its participants."""

from __future__ import annotations

from collections.abc import Iterator

from tetragraph.language.facts.collector import PREPOSITIONS, Collector
from tetragraph.language.facts.mentions import RELATIVE_TAGS, Mention, Mentions
from tetragraph.language.facts.phrases import COUNTED, NOUN_TAGS
from tetragraph.language.facts.statements import Part, Statement

_SUBJECTS = frozenset(["nsubj", "nsubjpass"])
_ROLES = {"dobj": "object", "obj": "object", "dative": "object", "attr": "attribute", "oprd": "attribute"}
_OWN_CLAUSES = frozenset(["ccomp", "advcl", "relcl", "acl", "parataxis", "csubj", "csubjpass"])
_MERGED = frozenset(["xcomp", "pcomp", "aux", "auxpass", "amod", "compound", "nmod", "prep", "case", "mark", "advmod"])
_OF_NOUNS = frozenset(["acl", "relcl"])
_SPEAKERS = frozenset(["i", "we", "you"])
_BE = frozenset(["is", "was", "are", "were", "be", "been", "being", "'s"])
_LIFE = frozenset(["born", "died"])
_DEPTH = 12


def find_frames(mentions: Mentions) -> Iterator[Statement]:
    """Statements of a chunk's verbs, in order of the verbs.

    There is no statement for a verb inside another's frame ("to direct" in "wants to direct"), for a verb with a
    speaker or listener as subject ("I", "you"), and for birth and death in brackets, which are read as a whole.
    """
    tree = mentions.tree
    for place, tag in enumerate(tree.tags):
        is_life = tree.depths[place] > 0 and tree.words[place].lower() in _LIFE
        if tag.startswith("VB") and tree.relations[place] not in _MERGED and not is_life:
            frame = Frame(mentions, place)
            if frame.is_informative and not frame.is_speech:
                yield frame.statement()


class Frame:
    """The participants of one verb: its subjects, or those of the clause above if it has none."""

    def __init__(self, mentions: Mentions, verb: int) -> None:
        self._tree = tree = mentions.tree
        self._mentions = mentions
        self._predicate = [verb]
        self._collector = Collector(mentions, verb)
        own = [child for child in tree.children[verb] if tree.relations[child] in _SUBJECTS]
        self.is_speech = any(tree.words[child].lower() in _SPEAKERS for child in own)
        for child in own:
            self._collector.add_noun(child, "subject")
        inherited = [] if own else self._inherit_subjects(verb)
        self._lead = inherited[0].name if inherited else ""
        self.parts = self._collector.parts
        self._inherited_count = len(inherited)
        self.parts.extend(Part("subject", mention) for mention in inherited)
        for part in self._find_relative_noun(verb, own):
            self.parts.append(part)
            self._lead = f"{part.mention.name}:"
        self._collect_arguments(verb, "", 0)
        while self._collector.verbs:
            self._collect_arguments(*self._collector.verbs.pop(), 0)

    @property
    def is_informative(self) -> bool:
        """Whether anything other than dates, numbers and the subjects of another clause takes part in it."""
        participants = self.parts[self._inherited_count :]
        return any(part.mention.type not in COUNTED for part in participants) or (
            self._inherited_count > 0 and bool(participants)
        )

    def statement(self) -> Statement:
        """The clause without its subordinate clauses."""
        parts = sorted(self.parts, key=lambda part: part.role != "subject")
        return Statement(self._type(), parts, *self._collector.bounds(), lead=self._lead)

    def _type(self) -> str:
        words = [self._tree.words[place].lower() for place in sorted({*self._predicate})]
        return " ".join("is" if word in _BE else word for word in words)

    def _find_relative_noun(self, verb: int, own: list[int]) -> Iterator[Part]:
        """The noun that a relative clause modifies without a pronoun for it: "the album X recorded"."""
        tree = self._tree
        has_pronoun = any(tree.tags[word] in RELATIVE_TAGS for word in tree.below(verb))
        if tree.relations[verb] != "relcl" or not own or has_pronoun:
            return
        adverbs = {tree.words[child].lower() for child in tree.children[verb]}
        role = "place" if "where" in adverbs else "time" if "when" in adverbs else "object"
        if found := self._mentions.identity(tree.heads[verb]):
            yield Part(role, found)

    def _inherit_subjects(self, verb: int) -> list[Mention]:
        """Subjects for a verb that has none: those of a verb above, or the noun that its clause modifies."""
        tree = self._tree
        while True:
            head = tree.heads[verb]
            if tree.relations[verb] in _OF_NOUNS and not tree.tags[head].startswith("VB"):
                found = self._mentions.identity(head)
                return [found] if found else []
            if head == verb:
                return []
            own = [child for child in tree.children[head] if tree.relations[child] in _SUBJECTS]
            if own:
                above = Collector(self._mentions, head)
                above.add_noun(own[0], "subject")
                return [part.mention for part in above.parts if part.role == "subject"]
            verb = head

    def _collect_arguments(self, word: int, preposition: str, depth: int) -> None:
        """Collect the dependents of a verb, an adjective or an adverb that are not clauses of their own."""
        tree = self._tree
        for child in tree.children[word] if depth < _DEPTH else ():
            relation, tag = tree.relations[child], tree.tags[child]
            if relation in _SUBJECTS or relation in _OWN_CLAUSES or (relation == "conj" and tag.startswith("VB")):
                continue
            if relation in PREPOSITIONS and tag not in NOUN_TAGS:
                self._collector.add_preposition(child)
            elif tag in NOUN_TAGS or tree.name_at[child] >= 0 or relation in _ROLES:
                self._collector.add_noun(child, preposition or _ROLES.get(relation, "modifier"))
            elif relation not in ("punct", "cc", "mark"):
                self._collector.words.append(child)
                self._predicate += [child] if relation == "prt" else []
                self._collect_arguments(child, "" if relation == "xcomp" else preposition, depth + 1)
