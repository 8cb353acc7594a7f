"""Test the API of the service against its OpenAPI document with schemathesis, in an environment of its own.

Usage: api_tests.py [EXAMPLES]   (requests generated for an operation and phase; with the Python of the environment of
developers)

Serves stores of its own with a corpus of twelve documents, and sends valid and invalid requests in all phases of
schemathesis, twice: with names of corpora that hardly exist, then with that of the corpus. Exits with 1 if a response
is not one that the document describes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tetragraph import Settings, Tetragraph
from tetragraph.service.keys import KeyStore
from tetragraph.stores import local

ROOT = Path(__file__).parents[1]
sys.path += [str(ROOT), str(ROOT / "tests" / "support")]

from benchmarks.service.process import Served  # noqa: E402  # found by the line above

import small_world  # noqa: E402  # likewise

FOLDER = ROOT / ".venv-api"
REQUIREMENT = "schemathesis>=4.30,<5"
CORPUS = "world"
SEED = 1
EXAMPLES = 10
OWN_KEY = "revoke_key_v1_keys__key__delete"
"""Could revoke the key of the run."""
DROP = "drop_corpus_v1_corpora__corpus__delete"
UNCHECKED = "positive_data_acceptance"
"""Names of methods, options, sessions and metadata depend on the corpus, which the document does not know."""
CONFIG = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 501]
"""
"""501 is the answer to a request for a language model where none is configured."""
PARAMETERS = f"""
[parameters]
"path.corpus" = "{CORPUS}"
"""


def main(examples: int) -> int:
    """Run both passes, and return the exit status."""
    program = _make_environment()
    with tempfile.TemporaryDirectory() as base:
        settings = Settings(home=Path(base) / "home")
        local.start(settings)
        try:
            with Tetragraph.connect(settings) as client:
                client.corpus(CORPUS).ingest(small_world.documents(), build=small_world.GRAPHS)
                key, _ = KeyStore(client.connection.graph).create(["admin"], ["*"])
            with Served({"TETRAGRAPH_HOME": str(settings.home)}, Path(base) / "server.log") as server:
                passes = (("any", CONFIG, (OWN_KEY,)), (CORPUS, CONFIG + PARAMETERS, (OWN_KEY, DROP)))
                return max(_run(program, server.address, key, Path(base), one, examples) for one in passes)
        finally:
            local.stop(settings)


def _run(
    program: Path, address: str, key: str, base: Path, one: tuple[str, str, tuple[str, ...]], examples: int
) -> int:
    name, config, left_out = one
    file = base / f"{name}.toml"
    file.write_text(config, encoding="utf-8")
    command: list[str | Path] = [program, "--config-file", file, "run", f"{address}/openapi.json"]
    command += ["--header", f"Authorization: Bearer {key}", "--seed", str(SEED), "--max-examples", str(examples)]
    command += ["--phases", "examples,coverage,fuzzing,stateful", "--continue-on-failure"]
    command += ["--exclude-checks", UNCHECKED]
    for operation in left_out:
        command += ["--exclude-operation-id", operation]
    print(f"-- corpora: {name}", flush=True)
    return subprocess.run(command, cwd=base, check=False).returncode


def _make_environment() -> Path:
    """Make the environment of schemathesis, unless it is complete; return its program."""
    program, stamp = FOLDER / "bin" / "st", FOLDER / ".complete"
    if not stamp.exists():
        venv.create(FOLDER)
        install = (ROOT / "scripts" / "install", sys.executable, FOLDER / "bin" / "python")
        subprocess.run([*install, REQUIREMENT], check=True)
        stamp.touch()
    return program


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLES))
