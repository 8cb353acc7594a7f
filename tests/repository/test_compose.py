"""docker-compose.yml is valid and agrees with docs/deployment.md."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"
VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::(?P<sign>[-?])(?P<rest>[^}]*))?\}")
SECRETS = {"NEO4J_PASSWORD", "QDRANT_API_KEY"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = YAML(typ="safe").load(COMPOSE)
    return content


@pytest.fixture(params=["neo4j", "qdrant"])
def service(request: pytest.FixtureRequest, compose: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = compose["services"][request.param]
    return found


def test_the_file_fits_the_schema_of_the_compose_specification() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_there_is_a_neo4j_a_qdrant_and_the_service_which_is_asked_for(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"neo4j", "qdrant", "service"}
    assert {name for name, one in compose["services"].items() if "profiles" in one} == {"service"}


def test_the_service_is_confined_waits_for_the_stores_and_is_published_on_loopback_only(
    compose: dict[str, Any],
) -> None:
    service = compose["services"]["service"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["depends_on"] == {name: {"condition": "service_healthy"} for name in ("neo4j", "qdrant")}
    assert [port.split(":")[0] for port in service["ports"]] == ["127.0.0.1"]
    assert service["healthcheck"]["test"][-1].count("/readyz") == 1
    assert service["volumes"] == ["service-data:/data"]
    assert service["volumes"][0].split(":")[0] in compose["volumes"]


def test_the_image_has_no_root_no_secret_and_only_what_it_needs() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    used = [line.split()[0] for line in lines if line[:1].isupper()]
    assert used.index("USER") < used.index("ENTRYPOINT")
    assert "USER 10001" in lines
    assert "ADD" not in used
    assert not [line for line in lines if re.search("PASSWORD|API_KEY|SECRET", line)]
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"}
    assert all((ROOT / name).exists() for name in kept)
    folders = {"adapters", "app", "cypher", "loaders", "schema"}
    assert kept == folders | {"pyproject.toml", "README.md", "LICENSE", "NOTICE"}


def test_images_are_pinned_to_a_version(compose: dict[str, Any]) -> None:
    images = {name: service["image"] for name, service in compose["services"].items()}
    assert re.fullmatch(r"neo4j:2026\.01\.\d+-community", images["neo4j"])
    assert re.fullmatch(r"qdrant/qdrant:v1\.\d+\.\d+", images["qdrant"])


def test_neo4j_is_the_version_of_the_lock_file(compose: dict[str, Any]) -> None:
    lock = (ROOT / "app/tetragraph/stores/local/neo4j.lock").read_text(encoding="utf-8")
    version = re.search(r"^org\.neo4j:neo4j:(\S+) ", lock, re.MULTILINE)
    assert version is not None
    assert compose["services"]["neo4j"]["image"] == f"neo4j:{version[1]}-community"


def test_ports_are_published_on_the_loopback_interface_only(service: dict[str, Any]) -> None:
    assert len(service["ports"]) == 2
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert "network_mode" not in service


def test_data_lie_in_named_volumes(compose: dict[str, Any], service: dict[str, Any]) -> None:
    volumes = {volume.split(":")[0] for volume in service["volumes"]}
    assert volumes
    assert volumes <= set(compose["volumes"])


def test_a_service_says_when_it_is_healthy_restarts_and_has_a_memory_limit(service: dict[str, Any]) -> None:
    assert {"test", "interval", "timeout", "retries", "start_period"} <= set(service["healthcheck"])
    assert service["restart"] == "unless-stopped"
    assert service["mem_limit"]


def test_secrets_have_no_default_and_everything_else_has_one() -> None:
    used = {match["name"]: match for match in VARIABLE.finditer(COMPOSE.read_text(encoding="utf-8"))}
    assert used.keys() >= SECRETS
    for name, match in used.items():
        assert match["sign"] == ("?" if name in SECRETS else "-"), name
        assert match["rest"], name


def test_neo4j_has_graph_data_science_and_the_memory_settings(compose: dict[str, Any]) -> None:
    environment = compose["services"]["neo4j"]["environment"]
    assert environment["NEO4J_PLUGINS"] == '["graph-data-science"]'
    assert environment["NEO4J_AUTH"].startswith("neo4j/${NEO4J_PASSWORD:?")
    sizes = {name for name in environment if name.startswith("NEO4J_server_memory_")}
    assert {name.removeprefix("NEO4J_server_memory_") for name in sizes} == {
        "heap_initial__size",
        "heap_max__size",
        "pagecache_size",
    }


def test_the_example_environment_names_every_variable_and_sets_no_secret() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = dict(re.findall(r"^#?(\w+)=(.*)$", example, re.MULTILINE))
    used = {match["name"] for match in VARIABLE.finditer(COMPOSE.read_text(encoding="utf-8"))}
    assert used <= set(named)
    assert {name: named[name] for name in SECRETS} == dict.fromkeys(SECRETS, "")
