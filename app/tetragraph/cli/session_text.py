"""A search in several steps as lines of text: the growth of its graph step by step, and the reason for its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from tetragraph.cli.output import out
from tetragraph.model.anchors import AnchorStep, Stopped

if TYPE_CHECKING:
    from tetragraph.systems.anchor_graph.step_summary import StepSummary

NARROWEST = 24
"""Smallest width of a line in columns, also on narrower terminals."""
NOT_JUDGED = "not judged"


def show_step(step: AnchorStep, steps: Sequence[AnchorStep], read: int) -> None:
    """Print a step; see :func:`step_lines`."""
    _print(step_lines(step, steps, read, out.width))


def show_end(stopped: Stopped | None, steps: int) -> None:
    """Print why a search ended, or that it has not ended."""
    from tetragraph.systems.anchor_graph.step_summary import ENDED

    reason = f"{ENDED[stopped]} ({steps} step{'s' * (steps != 1)})"
    _print(_hanging_lines("ended: " if stopped else "", reason, "bold", out.width))


def step_lines(step: AnchorStep, steps: Sequence[AnchorStep], read: int, width: int) -> Iterator[Text]:
    """A step as lines of limited width: query, chunks, facts, additions to the graph, conclusion.

    ★ marks a chunk that no earlier step read, + a new anchor or triple, ~ an anchor with new attributes.

    Args:
        step: The step; may be among ``steps``.
        steps: Steps of its session in order; those with lower numbers are its predecessors.
        read: Number of chunks of each step that are read into the graph; the others are only counted.
        width: Width of the terminal in columns.
    """
    from tetragraph.systems.anchor_graph.step_summary import summarise_step, title_of

    width, view = max(width, NARROWEST), summarise_step(step, steps, read)
    previous = [one.question for one in steps if one.number < step.number][-1:] or [step.query]
    if step.question != previous[0]:
        yield from _hanging_lines("question: ", step.question, "bold", width)
    yield from _hanging_lines(f"step {step.number}  ", step.query, "bold", width)
    for hit, is_new in view.passages:
        yield from _hanging_lines(
            f"{hit.rank:>4} {'★' if is_new else ' '} ", title_of(hit), "" if is_new else "dim", width
        )
    if view.unread:
        yield from _hanging_lines("       ", f"{view.unread} more found, not read", "dim", width)
    for fact in step.facts:
        yield from _hanging_lines(f"{fact.rank:>4} ", fact.description, "green", width)
    for sign, line in _growth(view):
        yield from _hanging_lines(f"  {sign} ", line, "green" if sign == "+" else "cyan", width)
    if step.summary:
        yield from _hanging_lines("  summary: ", step.summary, "green", width)
    if step.thought:
        yield from _hanging_lines("  thought: ", step.thought, "", width)
    yield from _hanging_lines("  ", _conclusion(step), "magenta", width)
    for note in step.notes:
        yield from _hanging_lines("  note: ", note, "yellow", width)
    if step.answer:
        yield from _hanging_lines("  answer: ", step.answer, "bold", width)


def plain(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


def _growth(view: StepSummary) -> Iterator[tuple[str, str]]:
    """Sign and text of each addition to the graph."""
    for anchor in view.anchors:
        yield "+", anchor.name + (f" ({'; '.join(anchor.attributes)})" if anchor.attributes else "")
    for anchor, attributes in view.learnt:
        yield "~", f"{anchor.name} ({'; '.join(attributes)})"
    for relation in view.relations:
        yield "+", f"{relation.source} —{relation.phrase}→ {relation.target}"


def _conclusion(step: AnchorStep) -> str:
    return (step.judgement or NOT_JUDGED) + (f", next query: {step.next_query}" if step.next_query else "")


def _hanging_lines(lead: str, text: str, style: str, width: int) -> Iterator[Text]:
    """A text after a lead, wrapped into lines that are indented by the length of the lead."""
    words = Text(plain(text), style=style)
    for number, line in enumerate(words.wrap(out, width - len(lead))):
        line.rstrip()
        yield Text.assemble((lead if number == 0 else " " * len(lead), style or "dim"), line)


def _print(lines: Iterable[Text]) -> None:
    for line in lines:
        out.print(line, soft_wrap=True)
