"""Connects the commands to the stores, with the model and the budget of their options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tetragraph.cli import logs
from tetragraph.errors import UnknownCorpus
from tetragraph.model.usage import Budget, Estimate, Usage
from tetragraph.progress import Progress

if TYPE_CHECKING:
    from tetragraph.client.tetragraph import Tetragraph
    from tetragraph.settings import Settings


def settings_for(llm: str | None = None) -> Settings:
    """The settings of the environment, with the model of ``--llm`` if given."""
    from tetragraph.settings import Settings

    settings = Settings()
    logs.lower(logs.LEVELS[settings.log])
    return settings if llm is None else settings.model_copy(update={"llm": llm})


def connect(llm: str | None = None, progress: Progress | None = None, *, starts_empty: bool = False) -> Tetragraph:
    """Connect a client that uses the model of ``--llm``, else that of the environment.

    Args:
        llm: Model of ``--llm``.
        progress: Receives downloads and the start of Neo4j.
        starts_empty: Whether to start the local Neo4j even if it has no data yet: only a command that writes them does.

    Raises:
        UnknownCorpus: the local Neo4j has never been started.
    """
    settings = settings_for(llm)
    if not starts_empty and not has_data(settings):
        raise UnknownCorpus(
            f"no corpus is here yet: Neo4j has never been started in {settings.home}, and this command would start an "
            "empty one. `tetragraph ingest FOLDER --corpus NAME` creates a corpus, `tetragraph up` starts Neo4j; "
            "TETRAGRAPH_HOME names another folder, NEO4J_URI a server"
        )
    from tetragraph.client.tetragraph import Tetragraph

    return Tetragraph.connect(settings, progress=progress)


def has_data(settings: Settings) -> bool:
    """Whether there is a database to read: a server of the settings, or a local one that was started before."""
    from tetragraph.stores import local

    return bool(settings.neo4j_uri) or local.has_data(settings)


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
