"""LaTeX: comments, accents and commands of the author."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tetragraph.model import Document
from tetragraph_loaders import latex, office
from tetragraph_loaders.latex import write_plainly


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"M\"uller, M{\"u}ller, M\"{u}ller, na\"\i ve", "Müller, Müller, Müller, naïve"),
        (r"\'e \`a \^o \~n \=a \.z \c{c} \c c \v{S} \H{o} \k{a} \r{u}", "é à ô ñ ā ż ç ç Š ő ą ů"),
        (r"stra\ss e, stra{\ss}e, \o re, \AA{}s, \L{}\'od\'z", "straße, straße, øre, Ås, Łódź"),
        (r"\emph{\"u} \section{\o} \oe uvre \omega \cite{a}", r"\emph{ü} \section{ø} œuvre \omega \cite{a}"),
        ("a% b\n  c\n %d\n%\ne 5\\% f\\\\% g\n\nh\n%", "a\n  c\ne 5\\% f\\\\\n\nh\n"),
        (r"Dr.~Holt", "Dr. Holt"),
        (r"\verb|a~%| \url{http://a/~b%20c} ~", r"\verb|a~%| \url{http://a/~b%20c}  "),
        ("\\begin{verbatim}\n% \\'e~\n\\end{verbatim}~", "\\begin{verbatim}\n% \\'e~\n\\end{verbatim} "),
        (r"\newcommand{\dam}{Reyer dam\xspace}\dam{} \dam, \damp", r"Reyer dam Reyer dam, \damp"),
        (r"\def\a{A}\renewcommand*\b{\a{} {B}}\b", r"A {B}"),
        (r"\newcommand{\two}[1]{x #1}\two{y} \\two", r"\newcommand{\two}[1]{x #1}\two{y} \\two"),
        (r"% \def\a{A}" "\n" r"\a", r"\a"),
    ],
)
def test_signs_of_latex_become_what_they_stand_for(written: str, text: str) -> None:
    assert write_plainly(written) == text


def test_commands_that_stand_for_one_another_do_not_grow_without_end() -> None:
    doubled = "".join(f"\\def\\{after}{{\\{before}\\{before}}}" for before, after in pairwise("abcdefghijk"))
    assert len(write_plainly(f"\\def\\a{{{'A' * 100}}}{doubled}\\k")) < 2_000


def test_a_file_of_latex_is_read_with_its_letters_and_commands(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    lines = [
        r"\documentclass{article}\newcommand{\dam}{Reyer dam}",
        r"\title{M\"uller and the \dam}\begin{document}",
        r"\section{The \dam}",
        r"Built by M\"uller. % not by Holt",
        r"\end{document}",
    ]
    (tmp_path / "a.tex").write_text("\n".join(lines))
    (found,) = office.load(tmp_path / "a.tex", id_prefix="d/a")
    assert isinstance(found, Document)
    assert found.title == "Müller and the Reyer dam"
    assert [one.title for one in found.headings] == ["The Reyer dam"]
    assert found.text.endswith("The Reyer dam\n\nBuilt by Müller.")


def test_a_binary_or_too_large_file_is_left_to_its_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.tex"
    path.write_bytes(b"a\0b")
    assert latex.prepare_latex(path) is None
    path.write_bytes("Ñandú".encode("latin-1"))
    assert latex.prepare_latex(path) is not None
    monkeypatch.setattr(latex, "_MOST_BYTES", 2)
    assert latex.prepare_latex(path) is None
