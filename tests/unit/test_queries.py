"""The reader of query files: accepted and rejected headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph import queries
from tetragraph.errors import QueryFileError

FILE = """// find_things — things of a corpus, oldest first
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns id: STRING,
//         names: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek, Sort
// Allows  Eager
// Source  somebody (2020), eq. (1)
UNWIND $rows AS row
MATCH (thing:Thing {corpus: $corpus, id: row.id}) // not $this
WHERE thing.text <> 'nor $that;'
RETURN thing.id AS id, thing.names AS names ORDER BY id
"""


def test_a_header_is_read_whole() -> None:
    query = queries.parse("things/find_things", FILE)
    assert query.name == "things/find_things"
    assert query.summary == "things of a corpus, oldest first"
    assert query.parameters == {"corpus": "STRING", "rows": "LIST<MAP>"}
    assert list(query.returns.items()) == [("id", "STRING"), ("names", "LIST<STRING>")]
    assert (query.access, query.plan, query.allows) == ("read", ("NodeUniqueIndexSeek", "Sort"), ("Eager",))
    assert query.source == "somebody (2020), eq. (1)"
    assert query.text == FILE
    assert not query.in_transactions


def test_a_statement_that_commits_in_steps_is_told_from_its_words_alone() -> None:
    in_a_string = FILE.replace("'nor $that;'", "'IN TRANSACTIONS'")
    in_the_statement = FILE.replace("RETURN thing.id", "CALL (thing) { DELETE thing } IN TRANSACTIONS RETURN thing.id")
    assert not queries.parse("things/find_things", in_a_string).in_transactions
    assert queries.parse("things/find_things", in_the_statement).in_transactions


def test_a_statement_for_analysts_has_a_group_and_values_that_can_be_left_out() -> None:
    optional = "$limit: INTEGER = 20, $below: FLOAT = -0.5, $all: BOOLEAN = false, $of: STRING = 'a b'"
    header = FILE.replace("LIST<MAP>\n", f"LIST<MAP>,\n//         {optional}\n").replace("id\n", "id LIMIT $limit\n")
    text = header.replace("UNWIND $rows", "WITH $below AS below, $all AS all, $of AS of UNWIND $rows")
    query = queries.parse("things/find_things", text.replace("// Source  ", "// Group   hubs\n// Source  "))
    assert query.group == "hubs"
    assert query.defaults == {"limit": 20, "below": -0.5, "all": False, "of": "a b"}
    assert query.parameters["below"] == "FLOAT"
    plain = queries.parse("things/find_things", FILE)
    assert (plain.group, plain.defaults) == ("", {})


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("things/find_things", "// find_things —", "// other_name —", "first line must read"),
        ("things/find_things", FILE, "", "first line must read"),
        ("things/find_things", FILE, FILE.partition("\n")[0], "lacks Access, Params, Returns"),
        ("things/list_things", "// find_things —", "// list_things —", "verb_noun with a verb of"),
        ("things/find", "// find_things —", "// find —", "verb_noun with a verb of"),
        ("things/find_things", "// Access  read\n", "", "lacks Access"),
        ("things/find_things", "// Access  read", "// Access  maybe", "Access must be read, write or schema"),
        ("things/find_things", "// Plan  ", "// Plans ", "find_things.cypher:6: not a header field"),
        ("things/find_things", "$rows: LIST<MAP>", "$row: LIST<MAP>", "do not: row, rows"),
        ("things/find_things", "$corpus: STRING", "$corpus STRING", "must read 'name: TYPE, name: TYPE'"),
        ("things/find_things", "ORDER BY id\n", "ORDER BY id;\n", "without a closing semicolon"),
        ("things/find_things", "// Allows  Eager", "// Group   stars", "one of coverage, hubs, .*, got 'stars'"),
        ("things/find_things", "$corpus: STRING", "$corpus: STRING = x", "got x for STRING"),
        ("things/find_things", "$rows: LIST<MAP>", "$rows: LIST<MAP> = []", "got [] for LIST<MAP>"),
        ("things/find_things", "Returns id: STRING", "Returns id: STRING = 'x'", "columns may not"),
    ],
)
def test_a_file_that_breaks_a_rule_is_refused(name: str, old: str, new: str, words: str) -> None:
    assert old in FILE
    with pytest.raises(QueryFileError, match=words.replace("(", r"\(").replace("[]", r"\[\]")):
        queries.parse(name, FILE.replace(old, new, 1))


def test_a_name_without_a_file_is_told() -> None:
    with pytest.raises(QueryFileError, match=r"no query file cypher/corpus/find_nothing\.cypher"):
        queries.get("corpus/find_nothing")


def test_the_names_are_those_of_the_files_in_order() -> None:
    names = list(queries.names())
    assert names == sorted(names)
    assert "corpus/get_corpus" in names
    assert all(queries.get(name).name == name for name in names)


def test_only_query_files_in_folders_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "things").mkdir()
    for file in ("README.md", "things/README.md", "things/find_things.cypher", "things/drop_things.cypher"):
        (tmp_path / file).touch()
    monkeypatch.setattr(queries, "root", lambda: tmp_path)
    assert list(queries.names()) == ["things/drop_things", "things/find_things"]
