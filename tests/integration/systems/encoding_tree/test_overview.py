"""The overview of a stored tree has every theme and chunk once, with their properties in Neo4j."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from tetragraph.errors import NotBuilt
from tetragraph.progress import NoProgress
from tetragraph.systems.encoding_tree import BuildOptions, build
from tetragraph.systems.encoding_tree.overview import read_overview

World = Any


@pytest.mark.parametrize("height", [2, 3])
def test_themes_and_chunks_of_a_built_tree_are_there_once(world: World, height: int) -> None:
    options = BuildOptions(neighbours=4, height=height)
    report = build(world.stores, world.table, NoProgress(), options)
    overview = read_overview(world.stores, with_chunks=True)
    themes = list(overview.walk())
    assert len(themes) == len({theme.id for theme in themes}) == sum(report.communities)
    assert sorted(chunk.id for theme in themes for chunk in theme.chunks) == sorted(world.chunks)
    assert sum(theme.size for theme in overview.themes) == overview.chunks == len(world.chunks)
    for theme in themes:
        below = sum(child.size for child in theme.children) + len(theme.chunks)
        assert theme.size == below
        assert bool(theme.chunks) == (theme.level == height - 1)
        assert 0 <= theme.outside <= 1
    assert sum(theme.entropy for theme in themes) <= overview.structural_entropy
    assert (overview.height, overview.settings, overview.tokens) == (height, asdict(options), 0)
    assert overview.drift == pytest.approx(0.0)


def test_chunks_are_left_out_unless_asked_for(world: World, small: BuildOptions) -> None:
    build(world.stores, world.table, NoProgress(), small)
    assert not any(theme.chunks for theme in read_overview(world.stores).walk())


def test_without_a_tree_the_command_that_makes_it_is_named(world: World) -> None:
    with pytest.raises(NotBuilt, match=f"`tetragraph build tree -c {world.stores.name}` makes it"):
        read_overview(world.stores)


def test_while_a_tree_is_being_written_there_is_none(world: World, small: BuildOptions) -> None:
    build(world.stores, world.table, NoProgress(), small)
    world.run("MATCH (tree:EncodingTree {corpus: $corpus}) SET tree.unfinished = true")
    with pytest.raises(NotBuilt):
        read_overview(world.stores)


def test_an_empty_corpus_has_an_empty_tree(make_world: Callable[[str], World]) -> None:
    empty = make_world("")
    build(empty.stores, empty.table, NoProgress())
    overview = read_overview(empty.stores, with_chunks=True)
    assert (overview.themes, overview.chunks) == ((), 0)
