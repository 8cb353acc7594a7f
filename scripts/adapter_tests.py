"""Test the adapters, each in an environment of its own, as their frameworks need packages that exclude one another.

Usage: adapter_tests.py [FRAMEWORK…]   (all when left out; with the Python of the environment of developers)

An environment ``.venv-adapters/FRAMEWORK`` has the framework and what it needs in its own versions, before the packages
of the environment that runs this script. All tests share one Neo4j: that of ``NEO4J_URI``, otherwise one that is
started for them. Exits with 1 if an environment cannot be made or a test fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tetragraph import Settings
from tetragraph.stores import local

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "support"))

from adapted_corpus import SHARED  # noqa: E402  # found by the line above
from environments import prefer_short_lived_java  # noqa: E402  # as that

INSTALL = ROOT / "scripts" / "install"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FRAMEWORKS = {
    "langchain": ("langchain-tests>=1.1",),
    "llama-index": (),
    "neo4j-graphrag": (),
    "haystack": (),
    "openai-agents": ("openai-agents>=0.6",),
}
"""Frameworks with packages besides those of the extra of an adapter; the last is a recipe of docs/adapters.md."""
QUIET = {
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
}
"""Variables that switch telemetry off."""
ONLY_LOOPBACK = ("--disable-socket", "--allow-unix-socket", "--allow-hosts=127.0.0.1,::1")
"""Arguments with which a connection to another machine fails its test."""


def make_environment(framework: str) -> Path:
    """Make the environment of a framework, unless it is complete; return its Python."""
    folder = ROOT / ".venv-adapters" / framework
    python = folder / "bin" / "python"
    stamp = folder / ".complete"
    if stamp.exists() and stamp.stat().st_mtime > (ROOT / "pyproject.toml").stat().st_mtime:
        return python
    venv.create(folder)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    shared = sysconfig.get_path("purelib")
    (packages / "shared.pth").write_text(f"import site; site.addsitedir({shared!r})\n", encoding="utf-8")
    bounds = folder / "bounds.txt"
    bounds.write_text("".join(f"{line}\n" for line in PROJECT["dependencies"]), encoding="utf-8")
    wanted = ("pytest-socket>=0.7", *PROJECT["optional-dependencies"].get(framework, ()), *FRAMEWORKS[framework])
    command = (INSTALL, sys.executable, python, "--constraint", bounds, *wanted)
    if status := subprocess.run(command, check=False).returncode:
        sys.exit(status)
    stamp.touch()
    return python


def run_tests(framework: str, python: Path, environment: dict[str, str]) -> bool:
    """Whether the tests of a framework pass; at least one has to run."""
    module = f"tests/adapters/test_{framework.replace('-', '_')}.py"
    asynchronous = ("-o", "asyncio_mode=auto") if framework == "langchain" else ()
    # Warnings of frameworks are theirs; `--strict-config` of pyproject.toml still finds faults of ours.
    arguments = ("-m", "pytest", "--require-stores", "-q", "-W", "default", *asynchronous, *ONLY_LOOPBACK, module)
    return subprocess.run([python, *arguments], cwd=ROOT, env=environment, check=False).returncode == 0


@contextmanager
def neo4j_server() -> Iterator[dict[str, str]]:
    """Variables that name a Neo4j: those of the caller, otherwise of one that is stopped at the end.

    The latter comes with a folder, so that the corpus of the tests is made once; at the end nothing is left of it.
    """
    if os.environ.get("NEO4J_URI"):
        yield {}
        return
    prefer_short_lived_java()
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home))
        server = local.start(settings)
        try:
            adapted = str(Path(home) / "adapted")
            yield {"NEO4J_URI": server.uri, "NEO4J_PASSWORD": server.password, SHARED: adapted}
        finally:
            local.stop(settings)


def main(frameworks: Sequence[str]) -> int:
    """Test the frameworks, and return the exit status."""
    unknown = [name for name in frameworks if name not in FRAMEWORKS]
    if unknown:
        print(f"a framework is one of {', '.join(FRAMEWORKS)}, got {unknown[0]!r}", file=sys.stderr)
        return 1
    pythons = {name: make_environment(name) for name in frameworks or FRAMEWORKS}
    with neo4j_server() as server:
        environment = {**os.environ, **QUIET, **server}
        failed = [name for name, python in pythons.items() if not run_tests(name, python, environment)]
    if failed:
        print(f"adapters that fail: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
