"""Jobs of the service: changes of a corpus and evaluations, which go on after the request that started them."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

from tetragraph.client.remote.values import Form, Problem

Kind = Literal["ingest", "delete", "build", "drop", "split", "join", "evaluate"]
Status = Literal["queued", "running", "done", "failed", "cancelled"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
ENDED: Final = ("done", "failed", "cancelled")
"""States that a job does not leave."""


class StageForm(Form):
    """A stage of a job: how many units are done, of how many if that is known."""

    stage: str
    done: int
    total: int | None = None
    unit: str = ""
    is_finished: bool = False


class JobForm(Form):
    """A job with its progress, and its result or problem once it has ended."""

    id: str
    corpus: str
    kind: Kind
    status: Status
    created: str
    started: str = ""
    ended: str = ""
    sequence: int
    attempts: int = 0
    progress: tuple[StageForm, ...] = ()
    result: Any = None
    problem: Problem | None = None
