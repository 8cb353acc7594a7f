"""The parts of a reply are found in any markup, and quotations are not taken for parts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.llm_steps.anchor_sections import parse_judgement, parse_query, split_sections

WHOLE = {"graph": "g", "think": "t", "judgement": "insufficient", "next_question": "q"}
AS_ASKED = "<graph>g</graph>\n<think>t</think>\n<judgement>insufficient</judgement>\n<next_question>q</next_question>"
JSON = '{"graph": "g", "think": "t", "judgement": "insufficient", "next_question": "q"}'
TABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "as asked": (AS_ASKED, WHOLE),
    "in another order": ("<judgement>insufficient</judgement><next_question>q</next_question><graph>g</graph>"
                         "<think>t</think>", WHOLE),
    "in capitals": (AS_ASKED.upper(), {name: text.upper() for name, text in WHOLE.items()}),
    "with blanks in the tags": (AS_ASKED.replace("</", "< / ").replace(">", " >"), WHOLE),
    "American": (AS_ASKED.replace("judgement", "judgment"), WHOLE),
    "with other words": ("<thought>t</thought><Next Query>q</Next Query><knowledge_graph>g</knowledge_graph>",
                         {"think": "t", "next_question": "q", "graph": "g"}),
    "in a fence": (f"```xml\n{AS_ASKED}\n```", WHOLE),
    "among prose": (f"Of course! Here it is:\n{AS_ASKED}\nTell me if you need more.", WHOLE),
    "nothing closed": ("<graph>g<think>t<judgement>insufficient<next_question>q", WHOLE),
    "the last one not closed": (AS_ASKED.removesuffix("</next_question>"), WHOLE),
    "one not closed": (AS_ASKED.replace("</think>", ""), WHOLE),
    "closed and not opened": ("t</think><judgement>insufficient</judgement>",
                              {"think": "t", "judgement": "insufficient"}),
    "thought aloud before": (f"<think>maybe <judgement>sufficient</judgement>, wait</think>{AS_ASKED}", WHOLE),
    "written twice": (AS_ASKED.replace("insufficient", "sufficient") + AS_ASKED, WHOLE),
    "written again, and empty": (f"{AS_ASKED}<graph> </graph>", WHOLE),
    "empty": ("<graph></graph><judgement></judgement>", {"graph": "", "judgement": ""}),
    "labels": ("Graph:\ng\nReasoning: t\n**Judgement:** insufficient\nNext question: q", WHOLE),
    "headings": ("## Graph\ng\n### Think\nt\n## Judgement\ninsufficient\n**Next Question**\nq", WHOLE),
    "tags and labels": ("<graph>g</graph>\n<think>t</think>\nJudgement: insufficient\nNext question: q", WHOLE),
    "a graph without a name": ("Entities:\n- A\nRelations:\n- A -> b -> C\nJudgement: insufficient",
                               {"graph": "Entities:\n- A\nRelations:\n- A -> b -> C", "judgement": "insufficient"}),
    "JSON": (JSON, WHOLE),
    "JSON in a fence": (f"Sure:\n```json\n{JSON}\n```", WHOLE),
    "broken JSON": (JSON.replace('"', "'").replace("}", ",}"), WHOLE),
    "JSON with the graph's parts": ('{"entities": ["A"], "judgement": true}',
                                    {"graph": {"entities": ["A"], "judgement": True}, "judgement": True}),
    "JSON of something else": ('{"colour": "blue"}', {}),
    "prose": ("I would look for the mayor next.", {}),
    "nothing": ("", {}),
    "control characters": ("<jud\x1bgement>insuf\x00ficient</judge\u202ement>", {"judgement": "insufficient"}),
    "halves of surrogate pairs": ("<graph>g\ud800</graph>", {"graph": "g"}),
    "only closing tags": ("</graph></judgement></next_question>", {}),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLE)
def test_parts_are_found(case: str) -> None:
    text, wanted = TABLE[case]
    found = split_sections(text)
    assert {name: part.strip() if isinstance(part, str) else part for name, part in found.items()} == wanted


def test_a_tag_that_a_thought_quotes_is_a_part_of_the_thought() -> None:
    quoting = 'The passage says "<judgement>sufficient</judgement><next_question>x</next_question>", which is no proof.'
    found = split_sections(f"<think>{quoting}</think><judgement>insufficient</judgement>")
    assert found == {"think": quoting, "judgement": "insufficient"}


def test_a_block_of_the_prompt_that_is_repeated_is_no_part_of_the_reply() -> None:
    repeated = "<passage 1 0a1b2c3d>\n<judgement>sufficient</judgement>\nJudgement: sufficient\n</passage 1 0a1b2c3d>"
    assert split_sections(f"{repeated}\n<judgement>insufficient</judgement>") == {"judgement": "insufficient"}
    assert split_sections(repeated) == {}


def test_a_block_that_is_not_closed_hides_nothing() -> None:
    assert split_sections("<passage 1 0a1b2c3d>\n<graph>g</graph>") == {"graph": "g"}


def test_an_endless_reply_is_read_up_to_a_million_characters() -> None:
    assert split_sections("so " * 2_000_000) == {}
    assert split_sections("<graph>" * 140_000)["graph"] == ""
    marks = "".join(f"<passage {number % 10_000} {number:08x}>" for number in range(40_000))
    assert split_sections(f"{marks}<graph>g</graph>") == {"graph": "g"}


@given(
    st.text(), st.lists(st.sampled_from(["<graph>", "</graph>", "<think>", "</judgement>", "Judgement:", "\n", "{"]))
)
def test_no_text_breaks_the_reading(text: str, marks: list[str]) -> None:
    found = split_sections(text.join(marks))
    parse_judgement(found.get("judgement"))
    parse_query(found.get("next_question"))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("sufficient", "sufficient"),
        (" SUFFICIENT.\n", "sufficient"),
        ("**Sufficient**", "sufficient"),
        ("The evidence is sufficient, as both are known.", "sufficient"),
        ("enough", "sufficient"),
        ("Yes", "sufficient"),
        (True, "sufficient"),
        ("insufficient", "insufficient"),
        ("Insufficient: it would be sufficient if the town were known", "insufficient"),
        ("IN-SUFFICIENT", "insufficient"),
        ("not sufficient", "insufficient"),
        ("This is not yet quite sufficient.", "insufficient"),
        ("isn't enough", "insufficient"),
        ("The documents don’t give sufficient information", "insufficient"),
        ("sufficient: no", "insufficient"),
        ("no", "insufficient"),
        (False, "insufficient"),
        ("sufficient or insufficient", None),
        ("insufficient/sufficient", None),
        ("one word: sufficient if all is known, insufficient if not", None),
        ("perhaps", None),
        ("selfsufficient", None),
        ("", None),
        (None, None),
        (["x"], None),
    ],
)
def test_a_judgement_is_one_in_any_case_and_wording(said: object, told: str | None) -> None:
    assert parse_judgement(said) == told


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (" Where was\tshe born? ", "Where was she born?"),
        ('"Where was she born?"', "Where was she born?"),
        ("1. Where was she born?\n2. When?", "Where was she born?"),
        ("\n\n- Where?\n", "Where?"),
        ("Next question:\nWhere?", "Where?"),
        ("Next question: Where?", "Where?"),
        (["Where?", "When?"], "Where?"),
        ("None", ""),
        ("N/A.", ""),
        ("(none)", ""),
        ("???", ""),
        ("", ""),
        (None, ""),
        ([], ""),
    ],
)
def test_a_query_is_one_line_or_none(said: object, asked: str) -> None:
    assert parse_query(said) == asked


def test_an_endless_query_is_cut() -> None:
    assert len(parse_query("who " * 100_000)) < 301
