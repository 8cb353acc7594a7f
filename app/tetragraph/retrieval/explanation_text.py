"""An explanation in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tetragraph.model import Contribution, Hit, PathStep
from tetragraph.model.explanations import ScorePart
from tetragraph.model.path_links import links_of
from tetragraph.systems.registry import find_retriever
from tetragraph.systems.reranking import part_meaning

Name = Callable[[str], str]
"""Function from the id of a node to its name."""

_STEPS: Mapping[tuple[str, bool], str] = {
    ("CONTAINS", True): "that holds {}",
    ("DESCRIBES", True): "describes {}",
    ("DESCRIBES", False): "described by {}",
    ("INFO_GAIN", True): "to which {} adds what is {label}",
    ("MENTIONS", True): "mentions {}",
    ("MENTIONS", False): "mentioned by {}",
    ("PARTICIPATES_IN", True): "takes part in {}",
    ("PARTICIPATES_IN", False): "with {}",
    ("STATED_IN", True): "stated by {}",
}
"""Words for a step, by its type and whether it goes from the relationship's start to its end."""


def parts_of(method: str, hit: Hit) -> tuple[ScorePart, ...]:
    """Return the nonzero parts of a score, the largest first, ties by name."""
    retriever = find_retriever(method)
    order = sorted(hit.parts, key=lambda name: (-abs(hit.parts[name]), name))
    return tuple(
        ScorePart(name, part_meaning(retriever, name), hit.parts[name], _largest(hit, name))
        for name in order
        if hit.parts[name]
    )


def _largest(hit: Hit, part: str) -> tuple[Contribution, ...]:
    return tuple(one for one in hit.contributions if one.part == part)


def explanation_lines(hit: Hit, parts: Sequence[ScorePart], name: Name) -> Iterator[str]:
    """Yield the lines of an explanation; the contributions to a part are indented below it.

    Args:
        hit: The explained hit.
        parts: Parts of its score.
        name: Returns the name of a node.
    """
    yield f"{hit.rank}. {hit.chunk.title or hit.chunk.document_id}, {hit.score:.4f} ({hit.places})"
    for part in parts:
        yield f"{part.value:+.4f} {part.name}: {part.meaning}"
        for one in part.contributions:
            yield f"  {one.value:+.4f} {one.label}{_origin(one.path, name)}"
    if hit.path:
        yield f"found by: {path_sentence(hit.path, name)}"


def _origin(path: Sequence[PathStep], name: Name) -> str:
    """Source of a contribution, if it is another chunk."""
    return f", from {name(path[0].source)}" if path and path[0].via in {"INFO_GAIN", "MENTIONS", "DESCRIBES"} else ""


def path_sentence(path: Sequence[PathStep], name: Name) -> str:
    """Format a path to a chunk in one line: the name of every node, and its link to the previous one."""
    links = list(links_of(path))[::-1]
    seeds, steps = path[: len(path) - len(links)], path[len(path) - len(links) :]
    steps_text = [f"{seed.label}: {name(seed.target)}" for seed in seeds] or [name(steps[0].source)]
    for step, link in zip(steps, links, strict=True):
        words = _STEPS[step.via, link.start.id == step.source]
        steps_text.append(words.format(name(step.target), label=step.label))
    return " → ".join(steps_text)
