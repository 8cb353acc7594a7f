"""JSON files: which objects are documents, what is left out and noted, and exports of chats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tetragraph.model import Document, Unreadable
from tetragraph_loaders import json_file

PROSE = "The dam was built in 1932, and the sea behind it became a lake."
UUID = "3aafd849-0c1c-4a4f-9d2b-0b8a7a1f2e3d"


def read(folder: Path, value: object) -> list[Document]:
    (folder / "t.json").write_text(json.dumps(value), encoding="utf-8")
    found = list(json_file.load(folder / "t.json", id_prefix="t.json"))
    assert not [one for one in found if isinstance(one, Unreadable)]
    return [one for one in found if isinstance(one, Document)]


def test_a_document_with_a_list_of_authors_is_one_document(tmp_path: Path) -> None:
    article = {"title": "The dam", "body": PROSE, "authors": [{"name": "Ida"}, {"name": "Bo"}], "year": 2020}
    (document,) = read(tmp_path, article)
    assert document.text == f"title: The dam\nbody: {PROSE}\nauthors.name: Ida\nauthors.name: Bo\nyear: 2020"


def test_two_lists_of_objects_are_one_document(tmp_path: Path) -> None:
    rows = [{"name": f"Name {number}"} for number in range(9)]
    (document,) = read(tmp_path, {"ships": rows[:2], "crews": rows})
    assert document.text.count("ships.name: ") == 2
    assert document.text.count("crews.name: ") == 9


def test_what_stands_beside_a_list_of_rows_is_noted(tmp_path: Path) -> None:
    rows = [{"text": PROSE}, {"text": "Two."}]
    first, second = read(tmp_path, {"count": 2, "next": None, "results": rows})
    assert (first.text, second.text) == (PROSE, "Two.")
    assert first.notes == ("each object under 'results' is a document; left out: 'count', 'next'",)
    assert read(tmp_path, {"results": rows})[0].notes == second.notes == ()


def test_lists_of_objects_beside_a_text_are_noted_once(tmp_path: Path) -> None:
    row = {"text": PROSE, "blocks": [{"type": "section"}], "replies": []}
    first, second = read(tmp_path, [row, row])
    assert first.notes == ("lists of objects, and values under a UUID, are neither text nor metadata: 'blocks'",)
    assert (second.notes, second.metadata) == ((), {"replies": []})


def test_rows_that_are_read_whole_have_all_their_values(tmp_path: Path) -> None:
    messages = [{"text": "How deep is it?", "sender": "human"}, {"text": "Nine metres.", "sender": "assistant"}]
    chats: list[dict[str, object]] = [
        {"uuid": "a", "name": "Depth", "chat_messages": messages},
        {"uuid": "b", "name": "Tides", "tags": ["x"]},
    ]
    expected = (
        "name: Depth\nchat_messages.text: How deep is it?\nchat_messages.sender: human\n"
        "chat_messages.text: Nine metres.\nchat_messages.sender: assistant"
    )
    first, second = read(tmp_path, chats)
    assert (first.id, first.title, first.text) == ("a", "Depth", expected)
    assert second.text == "name: Tides\ntags: x"
    for summary in ("", "Depths."):  # a guess never costs the larger part of a row
        first, second = read(tmp_path, [{**chat, "summary": summary} for chat in chats])
        assert first.text == expected + ("\nsummary: Depths." if summary else "")


def test_a_text_in_parts_is_joined(tmp_path: Path) -> None:
    parts = ["See ", {"type": "link", "text": "example.org"}, " and ", {"type": "bold", "text": "go"}, "."]
    (first, second) = read(tmp_path, {"messages": [{"from": "Ida", "text": parts}, {"text": "Yes."}]})
    assert (first.text, first.metadata) == ("See example.org and go.", {"from": "Ida"})
    assert "neither text nor metadata: 'text.type'" in first.notes[0]
    assert second.text == "Yes."
    (whole,) = read(tmp_path, {"name": "Group", "chat": {"messages": [{"text": parts}, {"text": [{"no": 1}]}]}})
    assert whole.text.split("\n") == [
        "name: Group",
        "chat.messages.text: See example.org and go.",
        "chat.messages.text.type: link",
        "chat.messages.text.type: bold",
        "chat.messages.text.no: 1",
    ]


def test_keys_that_contain_a_uuid_are_no_metadata_and_no_prefix(tmp_path: Path) -> None:
    chat = {"title": "Depth", "mapping": {UUID: {"role": "user", "parts": ["How deep?"]}}}
    (document,) = read(tmp_path, [chat])
    assert document.text == "title: Depth\nmapping.role: user\nmapping.parts: How deep?"
    assert document.metadata == {}
    (document,) = read(tmp_path, [{"text": PROSE, "of": {f"node-{UUID}": {"role": "user"}}}])
    assert document.notes[0].endswith("nor metadata: 'of.role'")


def test_a_row_has_a_hundred_keys_of_metadata_at_most(tmp_path: Path) -> None:
    row = {f"k{number}": number for number in range(150)} | {"id": 7, "text": PROSE}
    first, second = read(tmp_path, [row, {**row, "id": 8}])
    assert (first.id, first.text) == ("7", PROSE)
    assert list(first.metadata) == [f"k{number}" for number in range(100)]
    assert first.notes[0].startswith("of rows with more than 100 keys")
    assert second.notes == ()


def test_values_that_are_nested_too_deeply_are_reported(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"a":' * 3000 + "1" + "}" * 3000)
    (found,) = json_file.load(tmp_path / "t.json", id_prefix="t.json")
    assert isinstance(found, Unreadable)
    assert "within Python's limits" in found.reason


@pytest.mark.parametrize("value", [{"rows": [{"text": PROSE}]}, {"rows": [{"text": PROSE}, 3]}, [{"text": PROSE}, 3]])
def test_other_lists_are_lines_of_one_document(tmp_path: Path, value: object) -> None:
    (document,) = read(tmp_path, value)
    assert PROSE in document.text
    assert document.id == "t.json"
