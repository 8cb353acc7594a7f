"""The lock file names every jar, exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.errors import LocalStoreError
from tetragraph.settings import Settings
from tetragraph.stores.local import jars
from tetragraph.stores.local.jars import Distribution, parse_lock

SHA = "0f" * 32
LINE = f"io.netty:netty-transport:linux-x86_64:4.2.9.Final 42008 {SHA} lib"


def test_the_lock_that_we_ship_is_the_one_that_was_tried(settings: Settings) -> None:
    lock = jars.distribution(settings.cache).lock
    assert (len(lock.jars), sum(jar.size for jar in lock.jars)) == (389, 180_752_376)
    assert (lock.neo4j, lock.gds, lock.browser) == ("2026.01.4", "2.26.0", "5.24.0")
    assert sum(jar.folder == "plugins" for jar in lock.jars) == 128


def test_a_jar_knows_its_path_in_a_maven_repository() -> None:
    (jar,) = parse_lock(LINE.encode()).jars
    assert jar.path == "io/netty/netty-transport/4.2.9.Final/netty-transport-4.2.9.Final-linux-x86_64.jar"


def test_a_lock_is_known_by_its_bytes() -> None:
    assert parse_lock(b"# a\n").id != parse_lock(b"# b\n").id
    assert len(parse_lock(b"").id) == 12


@pytest.mark.parametrize(
    "line",
    [
        "a:b:1 10 lib",
        f"a:b 10 {SHA} lib",
        f"a:b:c:d:1 10 {SHA} lib",
        f"a:b:1 ten {SHA} lib",
        f"a:b:1 10 {SHA[1:]} lib",
        f"a:b:1 10 {SHA} bin",
    ],
)
def test_a_line_that_reads_otherwise_is_named(line: str) -> None:
    with pytest.raises(LocalStoreError, match=r"neo4j\.lock:2: .*got '.*: install tetragraph again"):
        parse_lock(f"# comment\n{line}\n".encode())


def test_a_lock_without_the_artifact_says_so() -> None:
    with pytest.raises(LocalStoreError, match=r"must name org\.neo4j:neo4j"):
        _ = parse_lock(LINE.encode()).neo4j


def test_the_class_path_has_every_jar_in_a_fixed_order(distribution: Distribution) -> None:
    entries = distribution.class_path.split(":")
    assert entries == sorted(entries)
    assert set(entries) == {str(distribution.file(jar)) for jar in distribution.lock.jars}


def test_browser_is_not_on_the_class_path_as_each_home_has_its_own(tmp_path: Path) -> None:
    whole = jars.distribution(tmp_path)
    browser = whole.lock.browser_jar
    assert str(whole.file(browser)) not in whole.class_path.split(":")
    assert len(whole.class_path.split(":")) == len(whole.lock.jars) - 1
