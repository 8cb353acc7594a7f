"""What the commands print: no text of a document commands the terminal, and data for other programs stays as it is."""

from __future__ import annotations

import json
import sys
from io import StringIO

import pytest

from tetragraph import Answer, Chunk, Citation, Evidence, Hit
from tetragraph.cli import ask, output, search
from tetragraph.cli.output import LineConsole, print_data, print_json, table
from tetragraph.client.analytics import Table

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
