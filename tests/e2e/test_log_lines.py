"""Log lines of a whole ingest and search: steps and times, and nothing that a document, question or password holds."""

from __future__ import annotations

import re
from pathlib import Path

from command_line import Cli
from tetragraph import Settings

TEXT = "Quillon Marsh leads the zephyrine laboratory in Old Harbour."
WORDS = ("Quillon", "zephyrine", "Harbour", "Who leads")


def test_log_lines_show_steps_and_times_but_neither_texts_nor_passwords(
    cli_process: Cli, corpus_name: str, tmp_path: Path, server_settings: Settings
) -> None:
    (tmp_path / "note.txt").write_text(TEXT, encoding="utf-8")
    written = cli_process("-vv", "ingest", "note.txt", "-c", corpus_name)
    asked = cli_process("-vv", "search", "Who leads the zephyrine laboratory?", "-c", corpus_name)
    assert (written.returncode, asked.returncode) == (0, 0)
    assert re.search(r"^connected: Neo4j \S+ \w+, Graph Data Science \S+, at \S+; Qdrant: ", written.stderr, re.M)
    assert re.search(
        rf"^corpus {corpus_name}: published generation \d+ \(model \d+\.\d s, documents ", written.stderr, re.M
    )
    assert re.search(r"^query corpus/upsert_corpus took \d+\.\d{3} s$", written.stderr, re.M)
    assert re.search(r"^stage embedding took \d+\.\d\d s$", asked.stderr, re.M)
    password = server_settings.neo4j_password.get_secret_value()
    assert password
    assert not [word for word in (*WORDS, password) if word in written.stderr + asked.stderr]


def test_one_flag_or_the_setting_leaves_statements_out_and_none_leaves_all_out(
    cli_process: Cli, corpus_name: str, tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text(TEXT, encoding="utf-8")
    some = cli_process("-v", "ingest", "note.txt", "-c", corpus_name, "--json")
    assert f"corpus {corpus_name}: published generation" in some.stderr
    assert "query corpus/upsert_corpus" not in some.stderr
    assert cli_process("corpora", "--json").stderr == ""
    (tmp_path / ".env").write_text("TETRAGRAPH_LOG=info\n", encoding="utf-8")
    assert "connected: Neo4j" in cli_process("corpora", "--json").stderr
