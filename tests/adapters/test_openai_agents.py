"""OpenAI Agents: the recipe of docs/adapters.md, with a scripted model that calls the function."""

from __future__ import annotations

import pytest

pytest.importorskip("agents")

from adapted_corpus import example, run
from scripted_faults import Body
from scripted_llm import Reply, ScriptedLlm

QUESTION = "Who leads the travel team?"
"""The question of the recipe."""


@pytest.mark.usefixtures("environment")
def test_the_recipe_of_the_page_answers_from_what_the_function_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def reply(body: Body) -> str | Reply:
        last = body["messages"][-1]
        if last["role"] != "tool":
            return Reply("", calls=[("search_handbook", {"question": "What is the seat of Sund County?", "k": 2})])
        return "Old Port" if "Its seat is Old Port" in str(last["content"]) else "Not found."

    with ScriptedLlm(reply, model="gpt-4.1-mini") as llm:
        monkeypatch.setenv("OPENAI_BASE_URL", llm.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "a-key-of-tests")
        run(f"{example('DSPy, OpenAI Agents and others')}\n{example('OpenAI Agents', '###')}")
    assert capsys.readouterr().out == "Old Port\n"
    asked, answered = llm.requests
    (tool,) = asked["tools"]
    assert tool["function"]["name"] == "search_handbook"
    assert tool["function"]["description"] == "Find the passages of the handbook that best answer a question."
    assert {name: one["type"] for name, one in tool["function"]["parameters"]["properties"].items()} == {
        "question": "string",
        "k": "integer",
    }
    assert QUESTION in str(asked["messages"])
    assert len(answered["messages"]) > len(asked["messages"])
