"""The configuration of the server: loopback only, the package's settings, then the user's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.settings import Settings
from tetragraph.stores.local import config, homes
from tetragraph.stores.local.jars import Distribution
from tetragraph.stores.local.java import Java
from tetragraph.stores.local.ports import Ports

JAVA_25 = Java(Path("/java/bin/java"), 25, "25.0.2+10")


def read(text: str) -> dict[str, str]:
    """The settings; a name that is there twice fails."""
    pairs = [line.split("=", 1) for line in text.splitlines()]
    assert len({name for name, _ in pairs}) == len(pairs)
    return dict(pairs)


def test_every_address_is_on_loopback_and_access_needs_the_password(
    distribution: Distribution, settings: Settings
) -> None:
    found = read(config.settings_text(distribution, Ports(7001, 7002), settings))
    addresses = {name: value for name, value in found.items() if name.endswith("_address")}
    assert len(addresses) == 5
    assert all(value.split(":")[0] == "127.0.0.1" for value in addresses.values())
    assert found["server.bolt.listen_address"] == "127.0.0.1:7001"
    assert found["server.http.listen_address"] == "127.0.0.1:7002"
    assert found["dbms.security.auth_enabled"] == "true"
    assert found["server.bolt.connection_keep_alive"] == "5s"


def test_the_users_settings_replace_ours(distribution: Distribution, settings: Settings) -> None:
    own = {"server.memory.pagecache.size": "1g", "db.logs.query.enabled": "INFO"}
    text = config.settings_text(distribution, Ports(1, 2), settings.model_copy(update={"neo4j_config": own}))
    assert read(text).items() >= own.items()


@pytest.mark.parametrize("name", ["server.default_listen_address", "server.bolt.listen_address", "server.http.enabled"])
def test_the_users_settings_cannot_open_the_server_to_the_network(
    distribution: Distribution, settings: Settings, name: str
) -> None:
    own = settings.model_copy(update={"neo4j_config": {name: "0.0.0.0"}})  # that is what is refused
    with pytest.raises(InvalidInput, match=f"cannot change addresses and folders, got {name}: leave them out"):
        config.settings_text(distribution, Ports(1, 2), own)


def test_further_settings_come_from_the_environment_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TETRAGRAPH_NEO4J_CONFIG", '{"a.b": "c"}')
    assert Settings(_env_file=None).neo4j_config == {"a.b": "c"}


@pytest.mark.parametrize(("collector", "flag"), [("serial", "-XX:+UseSerialGC"), ("g1", "-XX:+UseG1GC")])
def test_heap_and_collector_are_those_of_the_settings(
    distribution: Distribution, settings: Settings, collector: str, flag: str
) -> None:
    own = settings.model_copy(update={"gc": collector, "heap_mb": 777})
    command = config.server_command(homes.of(settings), distribution, JAVA_25, settings=own)
    assert "-Xmx777m" in command
    assert [word for word in command if "Use" in word and word.endswith("GC")] == [flag]


@pytest.mark.parametrize(
    ("memory", "heap", "page_cache"), [(0, 512, 128), (4_000, 512, 250), (16_000, 1_333, 1_000), (64_000, 2_000, 1_500)]
)
def test_heap_and_page_cache_may_take_a_share_of_the_memory(
    distribution: Distribution,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    memory: int,
    heap: int,
    page_cache: int,
) -> None:
    monkeypatch.setattr(config, "usable_memory_mb", lambda: memory)
    assert f"-Xmx{heap}m" in config.server_command(homes.of(settings), distribution, JAVA_25, settings=settings)
    found = read(config.settings_text(distribution, Ports(1, 2), settings))
    assert found["server.memory.pagecache.size"] == f"{page_cache}m"


def test_java_21_is_not_given_what_it_does_not_know(distribution: Distribution, settings: Settings) -> None:
    java_21 = Java(JAVA_25.executable, 21, "21.0.8+9")
    command = config.server_command(homes.of(settings), distribution, java_21, settings=settings)
    assert not [word for word in command if word.startswith("--sun-misc-unsafe")]


def test_the_password_is_not_on_any_command_line(distribution: Distribution, settings: Settings) -> None:
    home = homes.of(settings)
    home.prepare()
    command = config.server_command(home, distribution, JAVA_25, settings=settings)
    assert not [word for word in command if home.password() in word]


def test_browser_begins_with_style_and_guide_and_its_pages_call_this_server_alone(
    distribution: Distribution, settings: Settings
) -> None:
    found = read(config.settings_text(distribution, Ports(7001, 7002), settings))
    begins = found["browser.post_connect_cmd"].split("; ")
    assert begins[0] == "style http://localhost:7002/browser/tetragraph/style.grass"
    assert begins[-1] == "guide http://localhost:7002/browser/tetragraph/guide.html"
    policy = found["dbms.security.http_static_content_security_policy_header"]
    called = re.findall(r"\w+://\S+", policy)
    assert len(called) == 6
    assert {address.split("://")[1].split(":")[0] for address in called} == {"localhost", "127.0.0.1"}
    assert "https:" not in policy


def test_the_users_settings_replace_what_browser_begins_with(distribution: Distribution, settings: Settings) -> None:
    own = {"browser.post_connect_cmd": "play start"}
    text = config.settings_text(distribution, Ports(1, 2), settings.model_copy(update={"neo4j_config": own}))
    assert read(text)["browser.post_connect_cmd"] == "play start"


def test_browser_comes_last_on_the_class_path(distribution: Distribution, settings: Settings, tmp_path: Path) -> None:
    command = config.server_command(
        homes.of(settings), distribution, JAVA_25, settings=settings, browser=tmp_path / "browser.jar"
    )
    assert command[command.index("-cp") + 1] == f"{distribution.class_path}:{tmp_path / 'browser.jar'}"
