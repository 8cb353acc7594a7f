"""Regenerate the lock file of the local Neo4j: resolve its jars with Maven, and compute their SHA-256.

Needs Maven, the network and 200 MB in a temporary folder; takes a minute or two. Run it when a version below changes,
and review the difference before the commit::

    python scripts/relock.py
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LOCK = Path(__file__).parents[1] / "app/tetragraph/stores/local/neo4j.lock"
HEADER = "# groupId:artifactId[:classifier]:version size sha256 folder\n"
GDS_MODULES = ("opengds-extension", "open-model-catalog", "proc-sysinfo", "proc")
PLUGIN_GROUP = "org.neo4j.gds"
GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:list"
_RESOLVED = re.compile(r"^\s+([\w.-]+):([\w.-]+):jar:(?:([\w.-]+):)?([\w.-]+):(?:compile|runtime)\b", re.MULTILINE)


@dataclass(frozen=True)
class Versions:
    """Versions of the locked packages. GDS is published for some versions of Neo4j only, so the two must match."""

    neo4j: str = "2026.01.4"
    gds: str = "2.26.0"
    browser: str = "5.24.0"
    jol: str = "0.17"


@dataclass(frozen=True, order=True)
class Artifact:
    """A jar that Maven resolved; ``classifier`` is empty for most jars."""

    group: str
    name: str
    classifier: str
    version: str

    @property
    def coordinates(self) -> str:
        """Coordinates of the jar in the lock file."""
        return ":".join(part for part in (self.group, self.name, self.classifier, self.version) if part)

    @property
    def path(self) -> str:
        """Path below the root of a Maven repository."""
        file = "-".join(part for part in (self.name, self.version, self.classifier) if part)
        return f"{self.group.replace('.', '/')}/{self.name}/{self.version}/{file}.jar"

    @property
    def folder(self) -> str:
        """Folder of the distribution: GDS is a plugin, everything else a library."""
        return "plugins" if self.group == PLUGIN_GROUP else "lib"


def pom(versions: Versions) -> str:
    """The Maven project whose runtime dependencies are the server.

    The parent project of Neo4j is imported because Maven takes managed versions from the root only: without it the jars
    have other versions than those with which Neo4j was built. That parent limits ``jol-core`` to tests, but GDS needs
    it, so it is a direct dependency.
    """
    roots = [
        ("org.neo4j", "neo4j", versions.neo4j),
        ("org.neo4j.client", "neo4j-browser", versions.browser),
        ("org.openjdk.jol", "jol-core", versions.jol),
        *((PLUGIN_GROUP, module, versions.gds) for module in GDS_MODULES),
    ]
    dependencies = "".join(_dependency(*root, "<scope>compile</scope>") for root in roots)
    parent = _dependency("org.neo4j", "parent", versions.neo4j, "<type>pom</type><scope>import</scope>")
    return (
        "<project><modelVersion>4.0.0</modelVersion>"
        "<groupId>lock</groupId><artifactId>lock</artifactId><version>1</version>"
        f"<dependencyManagement><dependencies>{parent}</dependencies></dependencyManagement>"
        f"<dependencies>{dependencies}</dependencies></project>\n"
    )


def _dependency(group: str, artifact: str, version: str, rest: str) -> str:
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>{rest}"
        "</dependency>"
    )


def artifacts(listing: str) -> list[Artifact]:
    """The jars in the output of Maven's ``dependency:list``, sorted; other types are left out."""
    return sorted({Artifact(*(part or "" for part in found)) for found in _RESOLVED.findall(listing)})


def lock_lines(found: list[Artifact], repository: Path) -> Iterator[str]:
    """One line for each jar, with size and SHA-256 of the file in ``repository``."""
    for artifact in sorted(found, key=lambda artifact: artifact.coordinates):
        content = (repository / artifact.path).read_bytes()
        yield f"{artifact.coordinates} {len(content)} {hashlib.sha256(content).hexdigest()} {artifact.folder}\n"


def resolve(versions: Versions, folder: Path) -> str:
    """Let Maven resolve and fetch all jars into ``folder/repository``, with strict checksums; returns their list."""
    (folder / "pom.xml").write_text(pom(versions))
    listing = folder / "list"
    command = ["mvn", "-B", "-q", "-C", "-f", str(folder / "pom.xml"), f"-Dmaven.repo.local={folder / 'repository'}"]
    subprocess.run([*command, GOAL, "-DincludeScope=runtime", f"-DoutputFile={listing}"], check=True)
    return listing.read_text()


def main() -> None:
    """Run the script; see its docstring."""
    parser = argparse.ArgumentParser(description="Make the lock file of the local Neo4j anew.")
    for name, default in vars(Versions()).items():
        parser.add_argument(f"--{name}", default=default, help=f"version (default {default})")
    parser.add_argument("--output", type=Path, default=LOCK, help="file to write (default: the one in the package)")
    arguments = parser.parse_args()
    versions = Versions(arguments.neo4j, arguments.gds, arguments.browser, arguments.jol)
    with tempfile.TemporaryDirectory() as name:
        found = artifacts(resolve(versions, Path(name)))
        lines = list(lock_lines(found, Path(name) / "repository"))
    arguments.output.write_text(HEADER + "".join(lines))
    print(f"{len(lines)} jars, {sum(int(line.split()[1]) for line in lines) / 1e6:.1f} MB: {arguments.output}")


if __name__ == "__main__":
    main()
