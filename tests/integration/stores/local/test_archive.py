"""The start archive: made once for this machine's cache, and used by the next start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.errors import DownloadFailed
from tetragraph.settings import Settings
from tetragraph.stores import local
from tetragraph.stores.local import download, jars, java


@pytest.fixture
def own(outside: Settings, tmp_path: Path, pytestconfig: pytest.Config) -> Settings:
    """Settings with the machine's own cache and Java, and a home of this test."""
    changed = {"home": tmp_path, "bolt_port": None, "http_port": None}
    settings = Settings.model_construct(**{**dict(outside), **changed})
    try:
        download.complete(jars.distribution(settings.cache), download.source(settings))
    except DownloadFailed as error:
        (pytest.fail if pytestconfig.getoption("--require-stores") else pytest.skip)(str(error))
    return settings


def test_an_archive_is_made_once_and_used_by_the_next_start(own: Settings) -> None:
    runtime = java.find(own.java, own.java_home)
    if runtime.major < java.ARCHIVES_FROM:
        pytest.skip(f"Java {runtime.version} makes no start archive")
    file = local.warm(own)
    made = file.stat().st_mtime_ns
    assert local.warm(own).stat().st_mtime_ns == made
    assert list(file.parent.glob("warm-*")) == []
    server = local.start(own)
    try:
        assert server.new
        assert local.status(own).archive
    finally:
        local.stop(own)
