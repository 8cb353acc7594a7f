"""A search in several steps as lines of text: how its graph grows, step by step, and why it ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from tetragraph.cli.output import out
from tetragraph.language.llm_steps.answer import without_control
from tetragraph.model.anchors import AnchorStep, Stopped
from tetragraph.systems.anchor_graph.step_summary import (
    ENDED,
    StepSummary,
    summarise_step,
    title_of,
)

NARROWEST = 24
"""Columns; a terminal of less gets lines of so many."""
NOT_JUDGED = "nobody judged"


def show_step(step: AnchorStep, steps: Sequence[AnchorStep], read: int) -> None:
    """Print a step; see :func:`step_lines`."""
    _print(step_lines(step, steps, read, out.width))


def show_end(stopped: Stopped | None, steps: int) -> None:
    """Print why a search ended, or that it has not."""
    told_end = f"{ENDED[stopped]} ({steps} step{'s' * (steps != 1)})"
    _print(_hung("ended: " if stopped else "", told_end, "bold", out.width))


def step_lines(step: AnchorStep, steps: Sequence[AnchorStep], read: int, width: int) -> Iterator[Text]:
    """A step in lines of at most that many columns: query, passages, what it added to the graph, what was concluded.

    ★ marks a passage that no earlier step read, + what is new in the graph, ~ an anchor of which more is known.
    Nothing of documents or models commands the terminal.

    Args:
        step: Is among the steps or not.
        steps: Of its session, in order; those before it are asked.
        read: How many passages of each step are read; the others are counted.
        width: Of the terminal.
    """
    width, view = max(width, NARROWEST), summarise_step(step, steps, read)
    asked = [one.question for one in steps if one.number < step.number][-1:] or [step.query]
    if step.question != asked[0]:
        yield from _hung("question: ", step.question, "bold", width)
    yield from _hung(f"step {step.number}  ", step.query, "bold", width)
    for hit, is_new in view.passages:
        yield from _hung(f"{hit.rank:>4} {'★' if is_new else ' '} ", title_of(hit), "" if is_new else "dim", width)
    if view.unread:
        yield from _hung("       ", f"{view.unread} more found, not read", "dim", width)
    for sign, line in _growth(view):
        yield from _hung(f"  {sign} ", line, "green" if sign == "+" else "cyan", width)
    if step.thought:
        yield from _hung("  thought: ", step.thought, "", width)
    yield from _hung("  ", _conclusion(step), "magenta", width)
    for note in step.notes:
        yield from _hung("  note: ", note, "yellow", width)
    if step.answer:
        yield from _hung("  answer: ", step.answer, "bold", width)


def plain(text: str) -> str:
    """A text in one line that does not command the terminal."""
    return " ".join(without_control(text).split())


def _growth(view: StepSummary) -> Iterator[tuple[str, str]]:
    """Sign and words of what is new in the graph."""
    for anchor in view.anchors:
        yield "+", anchor.name + (f" ({'; '.join(anchor.attributes)})" if anchor.attributes else "")
    for anchor, attributes in view.learnt:
        yield "~", f"{anchor.name} ({'; '.join(attributes)})"
    for relation in view.relations:
        yield "+", f"{relation.source} —{relation.phrase}→ {relation.target}"


def _conclusion(step: AnchorStep) -> str:
    return (step.judgement or NOT_JUDGED) + (f", next query: {step.next_query}" if step.next_query else "")


def _hung(lead: str, text: str, style: str, width: int) -> Iterator[Text]:
    """A text behind a lead, as many lines as it takes, each as far from the margin as the lead is long."""
    words = Text(plain(text), style=style)
    for number, line in enumerate(words.wrap(out, width - len(lead))):
        line.rstrip()
        yield Text.assemble((lead if number == 0 else " " * len(lead), style or "dim"), line)


def _print(lines: Iterable[Text]) -> None:
    for line in lines:
        out.print(line, soft_wrap=True)
