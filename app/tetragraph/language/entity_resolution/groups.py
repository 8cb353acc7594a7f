"""Groups of names of one entity, merged proposal by proposal; forbidden merges are respected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from tetragraph.language.entity_resolution.guards import may_be_one
from tetragraph.language.entity_resolution.model import Reason
from tetragraph.language.entity_resolution.names import Names
from tetragraph.language.entity_resolution.proposals import Proposal
from tetragraph.model import content_id

_GUARDED: Final = frozenset[Reason](["spelling", "similar"])
"""Reasons without support in a text."""


class ForbiddenMerges:
    """Pairs of names that must not be merged; a name is given by its ``content_id``, as in the graph."""

    def __init__(self, pairs: Collection[tuple[str, str]]) -> None:
        self._others: dict[str, set[str]] = defaultdict(set)
        for first, second in pairs:
            self._others[first].add(second)
            self._others[second].add(first)

    def forbids(self, some: Iterable[str], others: Iterable[str]) -> bool:
        """Whether a merge of a name of one group with a name of the other is forbidden."""
        if not self._others:
            return False
        ids = {content_id(name) for name in others}
        return any(not self._others.get(content_id(name), set()).isdisjoint(ids) for name in some)


class Groups:
    """Groups of names that are one entity in the whole corpus; initially each name is a group of its own."""

    def __init__(self, names: Names, forbidden: ForbiddenMerges, known: frozenset[str] = frozenset()) -> None:
        self._names = names
        self._forbidden = forbidden
        self._known = known
        self._members: dict[str, set[str]] = {}
        self.merged_by: dict[str, Proposal] = {}

    def members(self, name: str) -> Collection[str]:
        """All names of the entity of a name."""
        return self._members.get(name, {name})

    def join(self, proposal: Proposal) -> None:
        """Merge the groups of two names, unless that is forbidden.

        It is forbidden if the two groups contain a forbidden pair or, unless a gazetteer states it, different titles or
        known entities, and, for a merge by similarity alone, if a guard excludes any name of one and any of the other.
        """
        some, others = self.members(proposal.alias), self.members(proposal.entity)
        if proposal.entity in some or self._forbidden.forbids(some, others):
            return
        if proposal.reason != "gazetteer":
            titles, more = self._titles(some), self._titles(others)
            if (titles and more and titles != more) or (self._known & {*some} and self._known & {*others}):
                return
        if proposal.reason in _GUARDED and not self._may_be_one(some, others):
            return
        together = {*some, *others}
        self._members.update(dict.fromkeys(together, together))
        for name in (proposal.alias, proposal.entity):
            self.merged_by.setdefault(name, proposal)

    def canonical(self, name: str) -> str:
        """Main name of a group: a known one, the bare form of a title, else a title, the most frequent, the longest."""
        return min(self.members(name), key=self._rank)

    def all(self) -> Mapping[str, Collection[str]]:
        """Group by name, for names in groups of several."""
        return self._members

    def _may_be_one(self, some: Iterable[str], others: Iterable[str]) -> bool:
        stated, more = ([name for key in keys if (name := self._names.unqualified.get(key))] for keys in (some, others))
        return all(may_be_one(first, second) for first in stated for second in more)

    def _titles(self, group: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(self._names.titles_of.get(name, frozenset()) for name in group))

    def _rank(self, name: str) -> tuple[bool, bool, bool, int, int, str]:
        title, stated = self._names.titles.get(name), self._names.all.get(name)
        is_bare = name in self._names.titles_of and (title is None or title.bare == name)
        return name not in self._known, not is_bare, title is None, -(stated.count if stated else 0), -len(name), name


class DocumentMeanings:
    """Meanings of names inside one document, in addition to those of the whole corpus."""

    def __init__(self, groups: Groups, forbidden: ForbiddenMerges) -> None:
        self._groups = groups
        self._forbidden = forbidden
        self.meant: dict[str, str] = {}
        self.added_by: dict[str, Proposal] = {}

    def add(self, proposal: Proposal) -> None:
        """Give a name the meaning of another one in the document, unless it already has it or that is forbidden."""
        alias = proposal.alias
        entity = self.meant.get(proposal.entity, self._groups.canonical(proposal.entity))
        entity = self.meant.get(entity, entity)
        if alias in self.meant or entity in (alias, self._groups.canonical(alias)):
            return
        moved = {alias, *(name for name, meant in self.meant.items() if meant == alias)}
        there = {*self._groups.members(entity), *(name for name, meant in self.meant.items() if meant == entity)}
        if self._forbidden.forbids(moved, there):
            return
        self.meant.update(dict.fromkeys(moved, entity))
        self.added_by[alias] = proposal
