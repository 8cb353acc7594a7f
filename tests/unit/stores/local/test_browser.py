"""The copy of Browser's jar in a home: rewritten only after changes, with the cache untouched."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from tetragraph.errors import StartFailed
from tetragraph.settings import Settings
from tetragraph.stores.local import browser, browser_files, homes, server
from tetragraph.stores.local.homes import Home
from tetragraph.stores.local.jars import Distribution, Jar, Lock


def with_browser(folder: Path, page: str) -> Distribution:
    """A distribution whose only jar is a Browser with one page."""
    file = folder / "lib" / "neo4j-browser-1.0.jar"
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(browser_files.entry("browser/index.html"), page)
    content = file.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    jar = Jar("org.neo4j.client", "neo4j-browser", "", "1.0", len(content), sha256, "lib")
    return Distribution(Lock("0123456789ab", (jar,)), folder)


@pytest.fixture
def home(settings: Settings) -> Home:
    made = homes.of(settings)
    made.prepare()
    return made


@pytest.fixture
def cached(tmp_path: Path) -> Distribution:
    return with_browser(tmp_path / "shared", "one")


def test_the_copy_has_browsers_files_and_ours(home: Home, cached: Distribution) -> None:
    with zipfile.ZipFile(browser.prepare(home, cached)) as archive:
        assert archive.read("browser/index.html") == b"one"
        for name, content in browser_files.files().items():
            assert archive.read(f"browser/tetragraph/{name}") == content
        assert archive.testzip() is None


def test_the_jar_in_the_cache_stays_as_it_is(home: Home, cached: Distribution) -> None:
    original = cached.file(cached.lock.browser_jar)
    before = original.read_bytes()
    copy = browser.prepare(home, cached)
    assert original.read_bytes() == before
    assert copy.stat().st_ino != original.stat().st_ino
    assert cached.damaged() == []


def test_a_copy_that_fits_is_kept(home: Home, cached: Distribution) -> None:
    copy = browser.prepare(home, cached)
    made = copy.stat()
    assert browser.prepare(home, cached) == copy
    assert (copy.stat().st_ino, copy.stat().st_mtime_ns) == (made.st_ino, made.st_mtime_ns)


def test_another_browser_makes_another_copy_and_the_old_one_goes(
    home: Home, cached: Distribution, tmp_path: Path
) -> None:
    old = browser.prepare(home, cached)
    new = browser.prepare(home, with_browser(tmp_path / "newer", "two"))
    assert new != old
    assert list(new.parent.iterdir()) == [new]


def test_another_guide_makes_another_copy(home: Home, cached: Distribution, monkeypatch: pytest.MonkeyPatch) -> None:
    old = browser.prepare(home, cached)
    changed = {**browser_files.files(), browser_files.GUIDE: b"<article></article>"}
    monkeypatch.setattr(browser_files, "files", lambda: changed)
    with zipfile.ZipFile(browser.prepare(home, cached)) as archive:
        assert archive.read("browser/tetragraph/guide.html") == b"<article></article>"
    assert not old.exists()


def test_what_a_broken_off_copy_left_is_removed(home: Home, cached: Distribution) -> None:
    copy = browser.prepare(home, cached)
    copy.rename(copy.with_name(f".{copy.name}.1.tmp"))
    again = browser.prepare(home, cached)
    assert list(again.parent.iterdir()) == [again]


def test_the_copy_of_a_home_outside_of_ascii_lies_in_a_temporary_folder_of_its_own(
    settings: Settings, cached: Distribution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = homes.of(settings.model_copy(update={"home": tmp_path / "hömé"}))
    made.prepare()
    copy = browser.prepare(made, cached)
    assert str(copy).isascii()
    assert copy.parent.stat().st_mode & 0o777 == 0o700
    copy.unlink()
    copy.parent.rmdir()
    (tmp_path / "other").mkdir()
    copy.parent.symlink_to(tmp_path / "other")
    with pytest.raises(StartFailed, match="must be yours"):
        browser.prepare(made, cached)


@pytest.mark.parametrize(("name", "stays"), [("hömé", False), ("home", True)])
def test_the_end_of_a_server_removes_a_copy_outside_of_the_home_alone(
    settings: Settings, cached: Distribution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, stays: bool
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    own = settings.model_copy(update={"home": tmp_path / name})
    made = homes.of(own)
    made.prepare()
    copy = browser.prepare(made, cached)
    server.stop(own)
    assert copy.parent.exists() is stays
    server.stop(own)  # also where none is left


def test_a_temporary_folder_that_is_a_link_is_not_followed_at_the_end(
    settings: Settings, cached: Distribution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    own = settings.model_copy(update={"home": tmp_path / "hömé"})
    made = homes.of(own)
    made.prepare()
    copy = browser.prepare(made, cached)
    copy.parent.rename(tmp_path / "other")
    copy.parent.symlink_to(tmp_path / "other")
    server.stop(own)
    assert (tmp_path / "other" / copy.name).exists()
