"""Settings from the environment and ``.env``; no other module reads them."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from tetragraph.errors import InvalidInput

MOST_DAYS: Final = 36_500
"""Largest number of days for which sessions and keys are kept, a hundred years: dates have an end."""


def _user_folder(find: Callable[[str], str]) -> Path:
    """The folder of tetragraph among those of the user.

    Raises:
        InvalidInput: the user has no home folder, so there is none.
    """
    try:
        folder = Path(find("tetragraph"))
    except RuntimeError:
        folder = Path("~")
    if folder.parts[0] == "~":  # of older versions of platformdirs, which raise nothing
        raise InvalidInput("set TETRAGRAPH_HOME and TETRAGRAPH_CACHE, as this user has no home folder")
    return folder


def _user_maven() -> Path | None:
    """The Maven repository of the user; None for a user without a home folder."""
    try:
        return Path.home() / ".m2" / "repository"
    except RuntimeError:
        return None


class Settings(BaseSettings):
    """All settings of one client: frozen, read once by the command line or ``Tetragraph.connect`` and passed down.

    Each field is read from ``TETRAGRAPH_<FIELD>``; the customary names of the stores and the LLM work, too
    (``NEO4J_URI``, ``QDRANT_URL``, ``OPENAI_API_KEY`` …). A ``.env`` file in the working directory is read. Keyword
    arguments take the name of the field and precede both.

    Raises:
        InvalidInput: a keyword argument is not the name of a setting, or the value of a setting breaks its rule.
    """

    model_config = SettingsConfigDict(
        env_prefix="TETRAGRAPH_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    neo4j_uri: str | None = Field(default=None, validation_alias=AliasChoices("TETRAGRAPH_NEO4J_URI", "NEO4J_URI"))
    """Bolt address of a Neo4j server; without it tetragraph runs its own on this machine."""
    neo4j_user: str = Field(
        default="neo4j", validation_alias=AliasChoices("TETRAGRAPH_NEO4J_USER", "NEO4J_USERNAME", "NEO4J_USER")
    )
    """Account on the Neo4j server."""
    neo4j_password: SecretStr = Field(
        default=SecretStr(""), validation_alias=AliasChoices("TETRAGRAPH_NEO4J_PASSWORD", "NEO4J_PASSWORD")
    )
    """Password of that account; the local Neo4j has its own."""
    neo4j_database: str = Field(
        default="neo4j", validation_alias=AliasChoices("TETRAGRAPH_NEO4J_DATABASE", "NEO4J_DATABASE")
    )
    """Database on the Neo4j server."""
    neo4j_retry_s: float = Field(default=5.0, ge=0)
    """Seconds during which a call repeats what a lost Neo4j did not answer, before it fails; the last attempt may end a
    few seconds later."""
    qdrant_url: str | None = Field(default=None, validation_alias=AliasChoices("TETRAGRAPH_QDRANT_URL", "QDRANT_URL"))
    """Address of a Qdrant server; without it Qdrant's engine runs in this process, on files below ``home``."""
    qdrant_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("TETRAGRAPH_QDRANT_API_KEY", "QDRANT_API_KEY")
    )
    """Key of the Qdrant server, where it requires one."""
    qdrant_timeout_s: float = Field(default=60.0, gt=0)
    """Seconds that one attempt of a request to the Qdrant server may take; rounded up to a whole number."""
    qdrant_retries: int = Field(default=3, ge=0)
    """Number of further attempts after a lost connection to the Qdrant server, 408, 429, 502, 503 or 504."""
    qdrant_exact: bool = True
    """Whether the Qdrant server compares a question with every vector; off: it uses its index, which is faster on large
    corpora and can miss neighbours, and a note says so."""

    home: Path = Field(default_factory=lambda: _user_folder(platformdirs.user_data_dir))
    """Data of the local stores, in ``neo4j/`` and ``qdrant/``. Default: the system's data folder of the user."""
    cache: Path = Field(default_factory=lambda: _user_folder(platformdirs.user_cache_dir))
    """Folder of jars and memory-mapped arrays; can be deleted at any time, and is filled again."""

    kept_results: int = Field(default=500, ge=0)
    """Number of results, of at most 20 hits, of searches on arrays that a client or service keeps in memory. They are
    given again for the same question, method, options and filters while the corpus stays as it is. 0 computes every
    search."""

    maven_url: str | None = None
    """Maven repository of the jars; default: Maven Central, at the address of the ``jgo`` package."""
    m2: Path | None = Field(default_factory=_user_maven)
    """Local Maven repository whose jars are used when size and hash fit; empty switches it off. Default:
    ``~/.m2/repository``."""
    java: Path | None = None
    """Java executable (21 or 25) for the local Neo4j; another version is an error."""
    java_home: Path | None = Field(default=None, validation_alias=AliasChoices("TETRAGRAPH_JAVA_HOME", "JAVA_HOME"))
    """Java installation for the local Neo4j; used before the one on the path if its version is suitable."""
    heap_mb: int | None = Field(default=None, ge=256)
    """Java heap of the local Neo4j, in MB; default: what it needs, up to a twelfth of the memory, or 512 where that is
    less, and at most 2,000."""
    page_cache_mb: int | None = Field(default=None, ge=16)
    """Page cache of the local Neo4j, in MB; default: what the graph needs, up to a sixteenth of the memory, or 128
    where that is less, and at most 1,500."""
    gc: Literal["serial", "g1"] = "serial"
    """Garbage collector of the local Neo4j: ``serial`` needs less memory, ``g1`` pauses less with a large heap."""
    bolt_port: int | None = Field(default=None, ge=1, le=65535)
    """Fixed Bolt port of the local Neo4j; default: the last one used, else 7687, else a free one."""
    http_port: int | None = Field(default=None, ge=1, le=65535)
    """Fixed HTTP port of the local Neo4j and of Browser; default: the last one used, else 7474, else a free one."""
    neo4j_config: dict[str, str] = {}
    """Further settings of the local Neo4j, such as ``{"db.logs.query.enabled": "INFO"}`` (JSON in the environment)."""

    embedder: str = "bge-small"
    """Embedding model: ``bge-small``, ``minilm``, ``multilingual``, ``openai:<model>``, ``fastembed:<model>`` or
    ``sentence-transformers:<model>``."""
    near_copies: bool = True
    """Whether passages of documents that are nearly the same are found once. It holds for a corpus from the next change
    of its documents on; exact copies are always found once."""
    executor: Literal["local", "ray"] = "local"
    """Where an ingest, a build or a sync embeds and parses: in this process and others of this machine (``local``), or
    on workers of a Ray cluster (``ray``)."""
    ray_address: str | None = None
    """Address of the Ray cluster: ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; default: one on this machine, which
    the command starts and ends."""
    ray_workers: int | None = Field(default=None, ge=1)
    """Number of workers on the Ray cluster; default: one a processor."""
    openai_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("TETRAGRAPH_OPENAI_API_KEY", "OPENAI_API_KEY")
    )
    """Key of the endpoint for embeddings and, unless it has its own, for the language model."""
    openai_base_url: str | None = Field(
        default=None, validation_alias=AliasChoices("TETRAGRAPH_OPENAI_BASE_URL", "OPENAI_BASE_URL")
    )
    """Address of the endpoint for embeddings and, unless it has its own, for the language model; default: that of
    OpenAI."""

    llm: str | None = None
    """Language model: its name at the endpoint, or ``replay:FILE``; None for none."""
    llm_base_url: str | None = None
    """Address of the endpoint for the language model. Default: ``openai_base_url``, else the address of OpenAI."""
    llm_api_key: SecretStr | None = None
    """Key of the endpoint for the language model; an endpoint without keys needs none. Default: ``openai_api_key``."""
    llm_structured: Literal["auto", "schema", "json", "text"] = "auto"
    """Enforcement of the form of replies: by JSON schema (``schema``), as any JSON (``json``), by the prompt alone
    (``text``); ``auto`` uses the strictest that the endpoint offers."""
    llm_concurrency: int = Field(default=4, ge=1, le=256)
    """Number of concurrent calls, over all operations of a process."""
    llm_timeout_s: float = Field(default=120.0, gt=0)
    """Seconds that one attempt may take; in a stream, the seconds until the next piece."""
    llm_retries: int = Field(default=4, ge=0)
    """Number of further attempts after a lost connection, 408, 429 or 5xx."""
    llm_pause_s: float = Field(default=0.5, ge=0)
    """Seconds before the second attempt; doubled before each further one, unless the endpoint states a time."""
    llm_prices: dict[str, tuple[float, float]] = {}
    """Prices of a million tokens in and out, by model: ``{"gpt-4o-mini": [0.15, 0.6]}`` (JSON in the environment)."""
    llm_cache: Path | None = None
    """File of the cached replies; default: ``llm.sqlite`` below ``home``."""
    llm_budget_tokens: int | None = Field(default=None, ge=1)
    """Tokens, in and out, that one operation may use."""
    llm_budget_money: float | None = Field(default=None, gt=0)
    """Money that one operation may cost, by ``llm_prices``."""
    llm_deadline_s: float | None = Field(default=None, gt=0)
    """Seconds after which one operation sends no further call."""
    llm_corpus_tokens: int | None = Field(default=None, ge=1)
    """Tokens, in and out, that all operations on one corpus may use, by the log in ``llm_cache``."""
    llm_corpus_money: float | None = Field(default=None, gt=0)
    """Money that all operations on one corpus may cost, by the log in ``llm_cache``."""

    serve_workers: int | None = Field(default=None, ge=1, le=256)
    """Number of searches that the service computes at the same time; default: that of the processors, at most 4. More
    threads than processors make all of them slower."""
    serve_queue: int = Field(default=64, ge=0)
    """Number of requests to the service that may wait for a worker; further ones are refused with 503."""
    serve_queue_s: float = Field(default=10.0, gt=0)
    """Seconds that a request to the service may wait for a worker before it is refused with 503."""
    serve_body_mb: float = Field(default=32.0, gt=0)
    """Largest request to the service, uploads included, in MiB."""
    serve_unpacked_mb: float = Field(default=512.0, gt=0)
    """Largest sum of the sizes of the files packed in one uploaded file, such as a DOCX, in MiB."""
    serve_rate: float = Field(default=50.0, ge=0)
    """Requests a second that one key of the service may send on average, in bursts of twice as many; 0 for no limit."""
    serve_concurrency: int = Field(default=16, ge=1)
    """Number of requests that one key of the service may have in progress."""
    serve_log_text: bool = False
    """Whether the audit log of the service has the texts of questions."""

    log: Literal["warning", "info", "debug"] = "warning"
    """Least level of the log lines that commands print on standard error: ``info`` as with ``-v``, ``debug`` as with
    ``-vv``. Programs configure the logger ``tetragraph`` instead."""
    session_days: float = Field(default=30.0, ge=0, le=MOST_DAYS)
    """Days after which sessions of searches in several steps may be pruned; 0 for never."""
    tree_drift: float = Field(default=0.02, ge=0)
    """Drift of the encoding tree, as a share of its entropy, above which a rebuild is recommended."""
    edge_wait_s: float = Field(default=10.0, ge=0)
    """Seconds to wait for another process to release a local Qdrant directory."""

    if not TYPE_CHECKING:  # type checkers take the keyword arguments from the fields

        def __init__(self, **values: Any) -> None:
            try:
                super().__init__(**values)
            except ValidationError as error:
                faults = [f"{fault['loc'][0]}: {fault['msg']}, got {fault['input']!r}" for fault in error.errors()]
                raise InvalidInput(f"a setting breaks its rule: {'; '.join(faults)}; see docs/settings.md") from error
            except SettingsError as error:
                raise InvalidInput(f"a setting must be JSON here, see docs/settings.md: {error}") from error

    @classmethod
    def of_file(cls, path: str | Path) -> Settings:
        """The settings of a file like ``.env`` alone: variables of the environment have no part in them.

        Raises:
            InvalidInput: there is no such file, it names no stores, or a value breaks its rule.
        """
        if not Path(path).is_file():
            raise InvalidInput(f"settings of other stores must be a file such as server.env, got {str(path)!r}")
        found = _FileSettings(_env_file=path)
        if not found.model_fields_set & {"neo4j_uri", "home"}:
            raise InvalidInput(
                f"settings of other stores must name them by NEO4J_URI, or by TETRAGRAPH_HOME for local ones, got "
                f"{str(path)!r} without either"
            )
        return found

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Refuse unknown keyword arguments; unknown variables of the environment are ignored, as others share it."""
        for name in init_settings():
            if name not in _known_names(settings_cls):
                near = difflib.get_close_matches(name, settings_cls.model_fields, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else "docs/settings.md lists all settings"
                raise InvalidInput(
                    f"a keyword argument of Settings must be the name of a setting, got {name!r}: {hint}"
                )
        return init_settings, env_settings, dotenv_settings, file_secret_settings


class _FileSettings(Settings):
    """Settings of one file."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read the file, and nothing else."""
        del settings_cls, init_settings, env_settings, file_secret_settings
        return (dotenv_settings,)


def _known_names(settings: type[BaseSettings]) -> set[str]:
    """Names that a keyword argument may have: those of the fields and of their variables."""
    aliases = [one.validation_alias for one in settings.model_fields.values()]
    choices = [one.choices for one in aliases if isinstance(one, AliasChoices)]
    return {*settings.model_fields, *(name for names in choices for name in names if isinstance(name, str))}
