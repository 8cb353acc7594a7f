"""What the commands print: no text of a document commands the terminal, and data for other programs stays as it is."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from file_limit import largest_file
from tetragraph import Answer, Chunk, Citation, Evidence, Hit
from tetragraph.cli import app, ask, output, search
from tetragraph.cli.output import LineConsole, print_data, print_json, table, write_text
from tetragraph.client.analytics import Table
from tetragraph.errors import InvalidInput, StoreError

BAD = "a\x1b[2J\x1b]0;owned\x07\x9b31m\u202eb\x7f :bug: [red]c[/red]"
SHOWN = "a[2J]0;owned31mb :bug: [red]c[/red]"
EVIDENCE = Evidence("Where?", "evidence", (Hit(1, 0.75, Chunk("c1", "d", BAD, BAD, BAD, 0, 0, 7, 3)),), notes=(BAD,))
ANSWER = Answer("Where?", BAD, "generated", (Citation("c1", "d", BAD, 0, 7, BAD),), 0, False, EVIDENCE)


def test_no_text_of_a_document_commands_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    search.show(EVIDENCE)
    ask.show(ANSWER)
    table(("title", BAD), [(BAD, 1)])
    printed = capsys.readouterr()
    assert printed.out.count(SHOWN) == 2 + 3 + 2
    assert printed.err == f"note: {SHOWN}\n"
    assert all(line.isprintable() for line in (printed.out + printed.err).splitlines())


def test_lines_and_tabs_of_a_text_stay(capsys: pytest.CaptureFixture[str]) -> None:
    output.out.print("one\ttwo\nthree", markup=False)
    assert capsys.readouterr().out == "one     two\nthree\n"


def test_styles_of_the_program_still_reach_the_terminal() -> None:
    screen = StringIO()
    console = LineConsole(file=screen, force_terminal=True, color_system="standard", highlight=False, emoji=False)
    console.print(BAD, style="bold", markup=False)
    assert screen.getvalue() == f"\x1b[1m{SHOWN}\x1b[0m\n"


def test_data_for_other_programs_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"title": BAD})
    found = Table("RETURN 1", ("title",), ({"title": BAD},))
    print_data(found.to_csv())
    printed = capsys.readouterr().out
    assert json.loads(printed[: printed.index("}") + 1]) == {"title": BAD}
    assert printed.endswith(f"}}\ntitle\n{BAD}\n")


def test_data_that_a_terminal_shows_has_no_control_characters(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_json({"title": "a\x9b31mb"})
    assert '"title": "a31mb"' in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        "tune -c none -q none.jsonl --report-questions none.jsonl",
        "cypher run find_coverage -c none",
        "cypher query RETURN -c none",
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_anything_else(command: str) -> None:
    ran = CliRunner().invoke(app, [*command.split(), "--out", "/proc/none/such.json"])
    assert isinstance(ran.exception, InvalidInput)
    assert "the output needs a place that can be written to, got '/proc/none/such.json'" in str(ran.exception)


def test_a_file_that_cannot_be_completed_stays_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "new" / "file.csv"
    write_text(file, "a,b\r\n")
    with largest_file(1000), pytest.raises(StoreError, match="raise the limit of file sizes"):
        write_text(file, "x" * 5000)
    assert file.read_bytes() == b"a,b\r\n"
