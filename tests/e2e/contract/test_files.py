"""Names and contents of files that stored data, replies, manifests or settings depend on."""

from __future__ import annotations

import hashlib
from pathlib import Path

from contract import Contract

ROOT = Path(__file__).parents[3]


def test_the_prompts_are_the_stored_ones(contract: Contract) -> None:
    folder = ROOT / "app/tetragraph/language/prompts"
    found = sorted(folder.rglob("*.toml"))
    contract.check(
        "prompts.txt", [f"{_sha256(file)} {file.relative_to(folder).as_posix()}" for file in found], is_measured=False
    )


def test_the_query_files_are_the_stored_ones(contract: Contract) -> None:
    names = [
        file.relative_to(ROOT).as_posix()
        for folder in ("cypher", "schema")
        for file in (ROOT / folder).rglob("*")
        if file.is_file()
    ]
    contract.check("query_files.txt", sorted(names), is_measured=False)


def test_migrations_that_databases_have_applied_do_not_change(contract: Contract) -> None:
    found = sorted((ROOT / "schema").glob("V*"))
    contract.check("migrations.txt", [f"{_sha256(file)} {file.name}" for file in found], is_measured=False)


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
