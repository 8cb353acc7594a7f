"""Rules that several systems keep: of their options, and of the graphs that they search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tetragraph.errors import InvalidInput, NotBuilt
from tetragraph.stores.corpus import CorpusStores


def not_built(stores: CorpusStores, graph: str, name: str) -> NotBuilt:
    """The error of who needs a graph that the corpus lacks.

    Args:
        stores: The corpus.
        graph: What ``tetragraph build`` calls it.
        name: What people call it.
    """
    return NotBuilt(
        f"corpus {stores.name!r} has no complete {name}: `tetragraph build {graph} -c {stores.name}` makes it"
    )


def check_built(stores: CorpusStores, graph: str, name: str) -> None:
    """Refuse a corpus without a graph; arguments as for :func:`not_built`."""
    if graph not in stores.record.graphs:
        raise not_built(stores, graph, name)


def check_known_options(owner: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse names of options that their owner lacks; the first of them by name is told."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise InvalidInput(f"{owner} has no option {unknown[0]!r}; its options are: {', '.join(known) or 'none'}")


def check_one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """Refuse a value that is none of the known ones."""
    if value not in known:
        raise InvalidInput(f"{name} must be one of {', '.join(known)}, got {value!r}")


def check_integer(name: str, value: object, least: int) -> None:
    """Refuse what is no whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidInput(f"{name} must be an integer of at least {least}, got {value!r}")
