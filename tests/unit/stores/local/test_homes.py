"""A home belongs to one user, keeps its password, and never has a partial record."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tetragraph.errors import CorruptHome, LocalStoreError
from tetragraph.settings import Settings
from tetragraph.stores.local import homes
from tetragraph.stores.local.homes import Home, State
from tetragraph.stores.local.ports import USUAL, Ports

FIRST_USER = (
    "neo4j:SHA-256,4d187ae9c57d0838ff6af7e1f12a8874ee9a7212bfd54b2c3d420f006d37d016,"
    "deb2c1db65f535215de18c861214195a4a0d4e35310d7d85f33d2e8c5a6f3d31,1024:\n"
)
"""What ``neo4j-admin dbms set-initial-password 'correct horse'`` wrote."""
STATE = State(pid=1, bolt=7001, http=7002, java="25")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "neo4j")
    home.prepare()
    return home


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_home_lies_below_that_of_the_settings(settings: Settings) -> None:
    assert homes.of(settings).folder == settings.home.resolve() / "neo4j"


def test_nobody_else_can_look_into_it(tmp_path: Path) -> None:
    (tmp_path / "neo4j").mkdir(mode=0o755)
    home = Home(tmp_path / "neo4j")
    home.prepare()
    assert mode(home.folder) == 0o700


def test_a_home_and_the_folders_above_it_are_closed_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Home(tmp_path / "data" / "home" / "neo4j").prepare()
    finally:
        os.umask(before)
    assert {mode(path) for path in (tmp_path / "data").rglob("*")} | {mode(tmp_path / "data")} == {0o700}


def test_a_home_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "neo4j").write_text("in the way")
    home = Home(tmp_path / "neo4j")
    with pytest.raises(CorruptHome, match=f"{home.folder}.*TETRAGRAPH_HOME"):
        home.prepare()
    with pytest.raises(CorruptHome, match="folder of your own"):
        home.check("2026.01.4")


def test_the_password_is_random_private_and_kept(home: Home, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    other.prepare()
    assert mode(home.auth.parent) == 0o700
    assert len(home.password()) == 48
    assert home.password() == home.password() != other.password()
    assert mode(home.auth) == 0o600


def test_a_password_file_that_others_could_read_is_closed(home: Home) -> None:
    home.auth.write_text("secret")
    home.auth.chmod(0o644)
    assert home.password() == "secret"
    assert mode(home.auth) == 0o600


def test_the_first_user_is_written_as_by_neo4j(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    salt = FIRST_USER.split(",")[2]
    monkeypatch.setattr("secrets.token_bytes", lambda count: bytes.fromhex(salt)[:count])
    home.auth.write_text("correct horse")
    home.set_password("neo4j")
    written = home.folder / "data" / "dbms" / "auth.ini"
    assert written.read_text() == FIRST_USER
    assert mode(written) == 0o600
    assert home.has_password_set


def test_the_password_of_data_is_set_once(home: Home) -> None:
    home.set_password("neo4j")
    written = (home.folder / "data" / "dbms" / "auth.ini").read_bytes()
    home.set_password("neo4j")
    assert (home.folder / "data" / "dbms" / "auth.ini").read_bytes() == written


def test_an_empty_password_file_before_the_first_start_is_written_again(home: Home) -> None:
    home.auth.touch()
    assert len(home.password()) == 48


@pytest.mark.parametrize("data", ["data/dbms/auth.ini", "data/databases/system"])
@pytest.mark.parametrize("content", [None, "", " \n"])
def test_a_lost_password_of_old_data_is_an_error(home: Home, data: str, content: str | None) -> None:
    (home.folder / data).mkdir(parents=True)
    if content is not None:
        home.auth.write_text(content)
    with pytest.raises(CorruptHome, match=f"kept in {home.auth}, which is gone or empty"):
        home.password()
    with pytest.raises(CorruptHome, match="gone or empty"):
        home.check("2026.01.4")


def test_a_record_is_replaced_as_a_whole(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.save_state(STATE)

    def power_cut(descriptor: int) -> None:
        raise OSError(5, "power cut")

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises(OSError, match="power cut"):
        home.save_state(State(2, 7003, 7004, "25"))
    assert home.state() == STATE
    monkeypatch.undo()
    home.save_state(State(2, 7003, 7004, "25", started_in_s=4.5))
    assert home.state() == State(2, 7003, 7004, "25", started_in_s=4.5)


def test_the_ports_are_remembered_after_the_server_is_gone(home: Home) -> None:
    assert home.last_ports() == USUAL
    home.save_state(STATE)
    home.clear_state()
    assert home.state() is None
    assert home.last_ports() == Ports(7001, 7002)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}', '{"surprise": 1}'])
def test_a_record_that_cannot_be_read_is_none(home: Home, content: str) -> None:
    for name in ("server.json", "ports.json"):
        (home.folder / "run" / name).write_text(content)
    assert home.state() is None
    assert home.last_ports() == USUAL


def test_data_of_a_newer_neo4j_are_refused(home: Home) -> None:
    home.adopt_version("2026.02.0")
    with pytest.raises(CorruptHome, match=r"holds data of Neo4j 2026\.02\.0, which the older 2026\.01\.10 cannot read"):
        home.adopt_version("2026.01.10")


def test_an_upgrade_copies_the_data_before(home: Home) -> None:
    home.adopt_version("5.26.25")
    (home.folder / "data" / "store").write_text("old")
    home.adopt_version("2026.01.4")
    (home.folder / "data" / "store").write_text("new")
    home.adopt_version("2026.01.4")
    assert (home.folder / "backups" / "data-5.26.25" / "store").read_text() == "old"
    assert len(list((home.folder / "backups").iterdir())) == 1


def test_a_full_disk_is_told_before_the_start(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tetragraph.stores.local.disk_space.RESERVE_BYTES", 10**18)
    with pytest.raises(LocalStoreError, match=r"needs 1000000000000 MB of free disk, the disk of .* has \d+ MB"):
        home.prepare()


def test_the_size_counts_all_files(home: Home) -> None:
    (home.folder / "data" / "one").write_bytes(b"x" * 10)
    (home.folder / "logs" / "two").write_bytes(b"x" * 5)
    assert homes.size_bytes(home.folder) == 15
