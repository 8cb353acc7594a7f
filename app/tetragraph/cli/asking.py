"""What commands that may ask a language model share: which model, and within which budget."""

from __future__ import annotations

from tetragraph.client import Tetragraph
from tetragraph.progress import Progress
from tetragraph.settings import Settings
from tetragraph.spending import Budget


def settings_for(llm: str | None) -> Settings:
    """The settings of the environment, with the model of ``--llm`` where it was given."""
    settings = Settings()
    return settings if llm is None else settings.model_copy(update={"llm": llm})


def connect(llm: str | None, progress: Progress | None = None) -> Tetragraph:
    """A client that asks the model of ``--llm``, else the one of the environment."""
    return Tetragraph.connect(settings_for(llm), progress=progress)


def read_budget(tokens: int | None, money: float | None, deadline_s: float | None) -> Budget:
    """The limits of ``--budget-tokens``, ``--budget-money`` and ``--deadline``.

    Raises:
        InvalidInput: one is not a number above 0.
    """
    return Budget(tokens, money, deadline_s)
