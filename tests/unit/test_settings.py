"""Settings by keyword arguments and by the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.settings import Settings


def test_every_field_can_be_given_by_its_name() -> None:
    settings = Settings(neo4j_uri="bolt://one:7687", llm_base_url="http://two/v1", java_home=Path("three"))
    assert settings.neo4j_uri == "bolt://one:7687"
    assert settings.llm_base_url == "http://two/v1"
    assert settings.java_home == Path("three")


def test_a_keyword_argument_precedes_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TETRAGRAPH_LLM_BASE_URL", "http://environment/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://others/v1")
    settings = Settings(llm_base_url="http://argument/v1")
    assert settings.llm_base_url == "http://argument/v1"
    assert settings.openai_base_url == "http://others/v1"


def test_an_unknown_keyword_argument_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InvalidInput, match="name of a setting, got 'hoome': did you mean 'home'"):
        Settings(hoome="x")
    with pytest.raises(InvalidInput, match=r"got 'nosuch': docs/settings\.md"):
        Settings(nosuch=1)


def test_a_value_that_breaks_its_rule_is_named_with_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"breaks its rule: heap_mb: .* valid integer.*, got 'much'; see docs"):
        Settings(heap_mb="much")
    with pytest.raises(InvalidInput, match=r"bolt_port: .* greater than or equal to 1, got 0; http_port: "):
        Settings(bolt_port=0, http_port=0)
    with pytest.raises(InvalidInput, match=r"session_days: .* less than or equal to 36500, got 99999999"):
        Settings(session_days=99_999_999)
    monkeypatch.setenv("TETRAGRAPH_LLM_RETRIES", "-1")
    with pytest.raises(InvalidInput, match=r"llm_retries: .* greater than or equal to 0, got '-1'"):
        Settings()
    monkeypatch.setenv("TETRAGRAPH_NEO4J_CONFIG", "no json")
    with pytest.raises(InvalidInput, match=r"must be JSON here, .* \"neo4j_config\""):
        Settings()
    (tmp_path / "server.env").write_text("TETRAGRAPH_HEAP_MB=1\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"heap_mb: .* greater than or equal to 256, got '1'"):
        Settings.of_file(tmp_path / "server.env")
    (tmp_path / "server.env").write_text("NEO4J_URL=bolt://elsewhere\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"must name them by NEO4J_URI, or .*, got '.*server\.env' without either"):
        Settings.of_file(tmp_path / "server.env")


def test_an_unknown_variable_of_the_environment_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TETRAGRAPH_NOSUCH", "1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("TETRAGRAPH_OTHER=1\nTETRAGRAPH_LLM=model\n", encoding="utf-8")
    assert Settings().llm == "model"


@pytest.mark.parametrize("raises", [True, False])
def test_a_user_without_a_home_folder_names_the_folders(
    raises: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def no_home(*_: object) -> str:
        if raises:
            raise RuntimeError("could not determine the home directory")
        return "~/.local/share/tetragraph"  # as older versions of platformdirs do

    def raise_always() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("TETRAGRAPH_HOME", "TETRAGRAPH_CACHE", "TETRAGRAPH_M2"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", raise_always)
    monkeypatch.setattr("platformdirs.user_data_dir", no_home)
    monkeypatch.setattr("platformdirs.user_cache_dir", no_home)
    settings = Settings(home=tmp_path, cache=tmp_path / "cache")
    assert (settings.home, settings.m2) == (tmp_path, None)
    for missing in ({"home": tmp_path}, {"cache": tmp_path}):
        with pytest.raises(InvalidInput, match=r"TETRAGRAPH_CACHE, as this user has no home folder$"):
            Settings(**missing)  # type: ignore[arg-type]  # folders
