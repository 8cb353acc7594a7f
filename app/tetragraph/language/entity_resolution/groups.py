"""Names that are one entity, put together proposal by proposal; what must stay apart stays apart."""

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
"""Reasons that no text gives."""


class ForbiddenMerges:
    """Pairs of names that are kept apart; a name is meant by its ``content_id``, as the graph keeps no other form."""

    def __init__(self, pairs: Collection[tuple[str, str]]) -> None:
        self._others: dict[str, set[str]] = defaultdict(set)
        for first, second in pairs:
            self._others[first].add(second)
            self._others[second].add(first)

    def forbids(self, some: Iterable[str], others: Iterable[str]) -> bool:
        """Whether a name of one group is kept apart from a name of another."""
        if not self._others:
            return False
        ids = {content_id(name) for name in others}
        return any(not self._others.get(content_id(name), set()).isdisjoint(ids) for name in some)


class Groups:
    """Groups of names that are one entity everywhere; at first each name is alone."""

    def __init__(self, names: Names, apart: ForbiddenMerges) -> None:
        self._names = names
        self._apart = apart
        self._members: dict[str, set[str]] = {}
        self.joined_by: dict[str, Proposal] = {}

    def members(self, name: str) -> Collection[str]:
        """All names of the entity of a name."""
        return self._members.get(name, {name})

    def join(self, proposal: Proposal) -> None:
        """Make one group of two, unless they must stay apart.

        They must where a pair of them was split, where they stand for different titles, and, if they are only alike,
        where a guard speaks against any name of one and any of the other.
        """
        some, others = self.members(proposal.alias), self.members(proposal.entity)
        if proposal.entity in some or self._apart.forbids(some, others):
            return
        titles, more = self._titles(some), self._titles(others)
        if titles and more and titles != more:
            return
        if proposal.reason in _GUARDED and not self._may_be_one(some, others):
            return
        together = {*some, *others}
        self._members.update(dict.fromkeys(together, together))
        for name in (proposal.alias, proposal.entity):
            self.joined_by.setdefault(name, proposal)

    def canonical(self, name: str) -> str:
        """The name of a name's group: the bare form of a title first, then a title, the most frequent, the longest."""
        return min(self.members(name), key=self._rank)

    def all(self) -> Mapping[str, Collection[str]]:
        """The group of each name that is not alone."""
        return self._members

    def _may_be_one(self, some: Iterable[str], others: Iterable[str]) -> bool:
        stated, more = ([name for key in keys if (name := self._names.unqualified.get(key))] for keys in (some, others))
        return all(may_be_one(first, second) for first in stated for second in more)

    def _titles(self, group: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(self._names.titles_of.get(name, frozenset()) for name in group))

    def _rank(self, name: str) -> tuple[bool, bool, int, int, str]:
        title, stated = self._names.titles.get(name), self._names.all.get(name)
        is_bare = name in self._names.titles_of and (title is None or title.bare == name)
        return not is_bare, title is None, -(stated.count if stated else 0), -len(name), name


class Inside:
    """Merges of names inside one document, in addition to those of the corpus."""

    def __init__(self, groups: Groups, apart: ForbiddenMerges) -> None:
        self._groups = groups
        self._apart = apart
        self.meant: dict[str, str] = {}
        self.told_by: dict[str, Proposal] = {}

    def add(self, proposal: Proposal) -> None:
        """Let a name stand for another one, unless it does already or they must stay apart."""
        alias = proposal.alias
        entity = self.meant.get(proposal.entity, self._groups.canonical(proposal.entity))
        entity = self.meant.get(entity, entity)
        if alias in self.meant or entity in (alias, self._groups.canonical(alias)):
            return
        moved = {alias, *(name for name, meant in self.meant.items() if meant == alias)}
        there = {*self._groups.members(entity), *(name for name, meant in self.meant.items() if meant == entity)}
        if self._apart.forbids(moved, there):
            return
        self.meant.update(dict.fromkeys(moved, entity))
        self.told_by[alias] = proposal
