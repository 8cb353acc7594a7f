"""The script for the lock file reads Maven's list and writes lines that the package can read."""

from __future__ import annotations

import hashlib
import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

from tetragraph.stores.local.jars import parse_lock

RELOCK = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "relock.py"))
LISTING = """
The following files have been resolved:
   org.neo4j.gds:proc:jar:2.26.0:compile
   io.netty:netty-transport-native-epoll:jar:linux-x86_64:4.2.9.Final:runtime -- module io.netty.transport
   org.example:bill-of-materials:pom:1.0:compile
   org.example:only-for-tests:jar:1.0:test
"""


def test_jars_of_the_list_are_kept_and_other_things_left_out() -> None:
    found = RELOCK["artifacts"](LISTING)
    assert [artifact.coordinates for artifact in found] == [
        "io.netty:netty-transport-native-epoll:linux-x86_64:4.2.9.Final",
        "org.neo4j.gds:proc:2.26.0",
    ]
    assert [artifact.folder for artifact in found] == ["lib", "plugins"]


def test_its_lines_are_those_that_the_package_reads(tmp_path: Path) -> None:
    found = RELOCK["artifacts"](LISTING)
    for artifact in found:
        (tmp_path / artifact.path).parent.mkdir(parents=True)
        (tmp_path / artifact.path).write_bytes(artifact.name.encode())
    lock = parse_lock((RELOCK["HEADER"] + "".join(RELOCK["lock_lines"](found, tmp_path))).encode())
    assert [jar.path for jar in lock.jars] == [artifact.path for artifact in found]
    assert lock.jars[1].sha256 == hashlib.sha256(b"proc").hexdigest()
    assert (lock.jars[1].size, lock.gds) == (4, "2.26.0")


def test_the_project_imports_neo4js_own_versions_and_names_what_gds_needs() -> None:
    project = ET.fromstring(RELOCK["pom"](RELOCK["Versions"](neo4j="1.2", gds="3.4")))  # noqa: S314  # our own
    managed = [element.findtext("artifactId") for element in project.iterfind("dependencyManagement//dependency")]
    roots = {
        element.findtext("artifactId"): element.findtext("version")
        for element in project.iterfind("dependencies/dependency")
    }
    assert managed == ["parent"]
    assert roots["neo4j"] == "1.2"
    assert roots["proc"] == roots["opengds-extension"] == "3.4"
    assert "jol-core" in roots


def test_the_script_makes_the_versions_that_we_ship() -> None:
    versions, lock = RELOCK["Versions"](), parse_lock(RELOCK["LOCK"].read_bytes())
    assert (versions.neo4j, versions.gds, versions.browser) == (lock.neo4j, lock.gds, lock.browser)
