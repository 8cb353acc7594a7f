"""Options shared by the commands that may use a language model: the model and its budget."""

from __future__ import annotations

from tetragraph.client.tetragraph import Tetragraph
from tetragraph.model.usage import Budget, Estimate, Usage
from tetragraph.progress import Progress
from tetragraph.settings import Settings


def settings_for(llm: str | None) -> Settings:
    """The settings of the environment, with the model of ``--llm`` if given."""
    settings = Settings()
    return settings if llm is None else settings.model_copy(update={"llm": llm})


def connect(llm: str | None, progress: Progress | None = None) -> Tetragraph:
    """Connect a client that uses the model of ``--llm``, else that of the environment."""
    return Tetragraph.connect(settings_for(llm), progress=progress)


def read_budget(tokens: int | None, money: float | None, deadline_s: float | None) -> Budget:
    """The limits of ``--budget-tokens``, ``--budget-money`` and ``--deadline``.

    Raises:
        InvalidInput: a limit is not a number above 0.
    """
    return Budget(tokens, money, deadline_s)


def usage_line(usage: Usage) -> str:
    """The usage of a language model in one line; empty if it was not used."""
    if not usage.calls and not usage.cached:
        return ""
    cost = f", cost {usage.cost:.4f}" if usage.cost else ""
    return (
        f"language model: {usage.calls:,} calls, {usage.cached:,} answered from cached replies, "
        f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out{cost}"
    )


def estimate_line(estimate: Estimate) -> str:
    """The estimated usage of a language model in one line."""
    if not estimate.calls and not estimate.cached:
        return "no language model would be asked: this costs nothing"
    cost = "no price known" if estimate.cost is None else f"cost {estimate.cost:.4f}"
    time = "time not known before a first call" if estimate.seconds is None else f"about {estimate.seconds:,.0f} s"
    return (
        f"{estimate.model}: {estimate.calls:,} calls, {estimate.cached:,} more answered from cached replies, "
        f"about {estimate.input_tokens:,} tokens in, {estimate.output_tokens:,} out, {cost}, {time}"
    )
