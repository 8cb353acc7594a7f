"""The forms of replies: their schemas are part of requests, and therefore of cache keys."""

from __future__ import annotations

import hashlib
import json

import pytest
from pydantic import BaseModel

from tetragraph.language.llm_steps import (
    answer,
    answer_judge,
    community_names,
    decomposition,
    fact_replies,
    gain,
    query_entities,
    rerank,
)
from tetragraph.llm.structured import strict_schema


@pytest.mark.parametrize(
    ("form", "sha256"),
    [
        (answer.AnswerReply, "40f93b06e66eee32"),
        (answer.FollowUpReply, "067a084ab758b44a"),
        (answer_judge.Ratings, "8409c61298713b8f"),
        (answer_judge.Verdict, "15e0c7b5a0078279"),
        (community_names.NamesReply, "704316c51e15a711"),
        (decomposition.StepsReply, "2f9df56cafc68525"),
        (fact_replies.FactsReply, "f79c380395b223de"),
        (gain.LevelJudgements, "c7845b95536feda6"),
        (gain.ScoreJudgements, "2d18759bcdd40fbf"),
        (gain.BinaryJudgements, "3c0bc9df0f734ce6"),
        (query_entities.NamesReply, "26f293837147f1d0"),
        (rerank.Order, "7a20dca3f94cc894"),
    ],
)
def test_the_schema_of_a_reply_stays_so_that_cached_replies_are_found(form: type[BaseModel], sha256: str) -> None:
    schema = json.dumps(strict_schema(form.model_json_schema()), sort_keys=True)
    assert hashlib.sha256(schema.encode()).hexdigest()[:16] == sha256
