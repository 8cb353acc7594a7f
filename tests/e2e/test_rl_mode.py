"""The RL mode: a scripted policy queries the facts of a corpus, is rewarded, and its episodes are kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from pyarrow import parquet

import anchored_world
import scripted_policy
from command_line import Cli
from scripted_llm import ScriptedLlm
from tetragraph import Corpus, GoldQuestion, Settings, Tetragraph
from tetragraph.errors import InvalidInput, LlmNotConfigured, NotBuilt
from tetragraph.model.usage import Budget

QUESTION, ANSWER = anchored_world.QUESTION, anchored_world.ANSWER
GOLD = GoldQuestion("mayor", QUESTION, answers=(ANSWER,))
REWARDS = [1.0, -0.5, -1.0, 0.0, -1.0]
"""Of the five kinds of the scripted policy."""


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(scripted_policy.turn) as llm:
        yield llm


@pytest.fixture
def corpus(llm: ScriptedLlm, anchored_settings: Settings, anchored: str, tmp_path: Path) -> Iterator[Corpus]:
    """The anchored world with the policy; replies are cached for one test."""
    settings = llm.settings(anchored_settings, llm_cache=tmp_path / "llm.sqlite")
    with Tetragraph.connect(settings) as client:
        yield client.corpus(anchored)


def test_a_question_is_answered_turn_by_turn_and_the_episode_is_a_session(
    corpus: Corpus, llm: ScriptedLlm, driver: neo4j.Driver
) -> None:
    answer = corpus.ask(QUESTION, method="bipartite", mode="rl")
    assert (answer.text, answer.kind, answer.insufficient) == (ANSWER, "generated", False)
    assert [step.question for step in answer.steps] == list(scripted_policy.QUERIES)
    assert (answer.steps[0].answer, answer.steps[0].thought) == ("", "1 steps are settled.")
    assert any(ANSWER in citation.quote for citation in answer.citations)
    assert {"Halvik", "Orla Brandt", "Ida Brandt"} <= {hit.chunk.title for hit in answer.evidence}
    assert answer.evidence.trace["rl"]["ended"] == "answered"
    assert answer.manifest["mode"] == "rl"
    assert [one["temperature"] for one in llm.requests] == [0.7] * 4
    assert [one["seed"] for one in llm.requests] == [0] * 4

    session = corpus.session(answer.session)
    record, steps = session.record, session.steps
    assert (record.status, record.stopped, record.answer, record.reward) == ("ended", "sufficient", ANSWER, None)
    assert record.reasoner.startswith("policy scripted, rl_turn 1 ")
    assert [step.query for step in steps] == [*scripted_policy.QUERIES, ""]
    assert [fact.relation for step in steps for fact in step.facts] == [
        relation for turn in answer.evidence.trace["rl"]["turns"] for relation in turn["facts"]
    ]
    drawn = driver.execute_query(
        "MATCH (:Session {corpus: $corpus, id: $id})-[:HAS_STEP]->(:Step)-[:FOUND]->(fact:Relation)"
        "<-[:PARTICIPATES_IN]-(one:Entity) RETURN collect(DISTINCT one.name) AS names",
        corpus=corpus.name,
        id=answer.session,
    ).records[0]["names"]
    assert {"Orla Brandt", "Ida Brandt", "Jens Arild"} <= set(drawn)
    assert answer.facts[0].description in session.export("html")
    refused = pytest.raises(InvalidInput, match="is an episode of a policy, which ends with its answer")
    with refused:
        session.resume()
    with refused:
        session.ask("And his?")
    with refused:
        session.fork(1, query="Who?")


def test_a_repeated_episode_has_the_same_bytes_and_costs_nothing(corpus: Corpus, llm: ScriptedLlm) -> None:
    first = corpus.rollouts([GOLD], group=2)
    calls = llm.calls
    again = corpus.rollouts([GOLD], group=2)
    assert llm.calls == calls
    assert [one.row("trl") for one in again] == [one.row("trl") for one in first]


def test_each_kind_of_policy_gets_its_reward(corpus: Corpus, tmp_path: Path) -> None:
    found = corpus.rollouts([GOLD], group=scripted_policy.KINDS, keep=True)
    rewards = [one.episode.reward.total for one in found if one.episode.reward]
    assert rewards == REWARDS
    assert found.means["reward"] == pytest.approx(sum(REWARDS) / len(REWARDS))
    assert [one.episode.ended for one in found] == ["answered", "answered", "answered", "turns", "turns"]
    assert [corpus.session(one.episode.session).record.reward for one in found] == REWARDS
    faults = [turn.fault for turn in found[2].episode.turns]
    assert all(fault.startswith("its blocks are") for fault in faults)
    assert corpus.session(found[2].episode.session).steps[0].notes == (f"the turn is not well-formed: {faults[0]}",)

    found.write(tmp_path / "rows.jsonl", "trl")
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [row["reward"] for row in rows] == REWARDS
    assert {(row["group"], row["sample"]) for row in rows} == {("mayor", sample) for sample in range(len(REWARDS))}
    assert [one["role"] for one in rows[0]["prompt"]] == ["system", "user"]
    assert [one["role"] for one in rows[0]["completion"]] == ["assistant", "user"] * 3 + ["assistant"]
    assert rows[0]["completion"][1]["content"].startswith("<knowledge>\n")

    found.write(tmp_path / "whole.jsonl", "episodes")
    whole = [json.loads(line) for line in (tmp_path / "whole.jsonl").read_text().splitlines()]
    assert [(row["id"], row["answers"], row["reward"]["total"]) for row in whole] == [
        ("mayor", [ANSWER], reward) for reward in REWARDS
    ]
    assert whole[0]["turns"][0]["facts"][0]["statements"]

    found.write(tmp_path / "rows.parquet", "verl")
    table = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert table[0]["reward_model"] == {"ground_truth": [ANSWER], "style": "rule"}
    assert table[0]["extra_info"]["response_mask"] == [1, 0, 1, 0, 1, 0, 1]
    assert [row["extra_info"]["reward"] for row in table] == REWARDS
    with pytest.raises(InvalidInput, match=r"ends in \.jsonl or \.parquet, got"):
        found.write(tmp_path / "rows.csv")


def test_budget_and_filters_hold_for_an_episode(corpus: Corpus) -> None:
    cut = corpus.ask(QUESTION, method="bipartite", mode="rl", budget=Budget(tokens=1500))
    assert (cut.text, cut.insufficient) == ("", True)
    assert "no answer was generated: the budget is spent" in cut.notes
    assert corpus.session(cut.session).record.stopped == "budget"
    none = corpus.rollouts([GOLD], group=1, filters={"year": 1908})
    assert all(
        place.chunk in {hit.chunk.id for hit in corpus.search(QUESTION, k=50, filters={"year": 1908}, method="dense")}
        for turn in none[0].episode.turns
        for fact in turn.facts
        for place in fact.statements
    )


def test_what_has_no_meaning_is_refused_before_a_call(
    corpus: Corpus, llm: ScriptedLlm, anchored_settings: Settings, corpus_name: str
) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"method": "evidence"}, "method must be 'bipartite', got 'evidence'"),
        ({"generate": False}, "in mode 'rl' a policy queries facts and answers"),
        ({"iterations": 2}, "in mode 'rl' a policy queries facts and answers"),
        ({"context_tokens": 500}, "in mode 'rl' a policy queries facts and answers"),
        ({"k": 51}, "facts must be at most 50, got 51"),
        ({"turns": 0}, "turns must be an integer of at least 1"),
        ({"depth": 1}, "has no option 'depth'"),
    ]
    for options, message in wrong:
        with pytest.raises(InvalidInput, match=message):
            corpus.ask(QUESTION, **{"method": "bipartite", "mode": "rl", **options})
    with pytest.raises(InvalidInput, match="rewarded by an accepted answer, and question 'x' has none"):
        corpus.rollouts([GoldQuestion("x", "Who?")])
    with pytest.raises(InvalidInput, match="episodes are in mode 'rl', and their queries"):
        corpus.rollouts([GOLD], mode="paper")
    assert llm.calls == 0
    with Tetragraph.connect(anchored_settings) as client, pytest.raises(LlmNotConfigured):
        client.corpus(corpus.name).ask(QUESTION, method="bipartite", mode="rl")
    with Tetragraph.connect(llm.settings(anchored_settings)) as client:
        bare = client.corpus(corpus_name)
        bare.ingest(anchored_world.documents()[:1], build=())
        with pytest.raises(NotBuilt):
            bare.ask(QUESTION, method="bipartite", mode="rl")
        bare.drop()


def test_the_commands_show_an_episode_and_write_rollouts(
    cli: Cli, llm: ScriptedLlm, environment: dict[str, str], corpus_name: str, tmp_path: Path
) -> None:
    documents = tmp_path / "world.jsonl"
    rows = ({"id": one.id, "title": one.title, "text": one.text} for one in anchored_world.documents())
    documents.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    environment |= {"OPENAI_BASE_URL": llm.base_url, "OPENAI_API_KEY": "a-key", "TETRAGRAPH_LLM": llm.model}
    assert cli("ingest", str(documents), "-c", corpus_name, "--build", "bipartite").returncode == 0
    shown = cli("ask", QUESTION, "-c", corpus_name, "--method", "bipartite", "--mode", "rl")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith(f"{ANSWER}\n")
    assert f"follow-up 1: {scripted_policy.QUERIES[0]} → thought: 1 steps are settled." in shown.stdout
    session = shown.stdout.partition("session ")[2][:16]
    told = cli("sessions", "show", session, "-c", corpus_name).stdout
    assert "judged by policy scripted, rl_turn 1" in told
    assert "Orla Brandt is the mayor of Halvik" in told

    questions = tmp_path / "questions.jsonl"
    row = {"id": "mayor", "question": QUESTION, "answers": [ANSWER], "supporting": ["halvik"]}
    questions.write_text(json.dumps(row))
    wanted = ["rl", "rollouts", "-c", corpus_name, "-q", str(questions), "--out", str(tmp_path / "out.jsonl")]
    written = cli(*wanted, "--group", "2")
    assert written.returncode == 0, written.stderr
    assert "reward  0.250" in written.stdout
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2
    as_json = json.loads(cli(*wanted, "--group", "2", "--json").stdout)
    assert as_json["means"]["reward"] == 0.25
    assert as_json["episodes"] == 2
    assert cli(*wanted[:-1], str(tmp_path / "out.csv")).returncode == 2
