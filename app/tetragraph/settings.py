"""Everything the environment can set, read here and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """One frozen object, made once at the edge (CLI, ``Tetragraph.connect``) and passed down.

    Each field is read from ``TETRAGRAPH_<FIELD>``; the stores' and the LLM's own customary names work too
    (``NEO4J_URI``, ``QDRANT_URL``, ``OPENAI_API_KEY`` …). A ``.env`` file in the working directory is read.
    """

    model_config = SettingsConfigDict(env_prefix="TETRAGRAPH_", env_file=".env", extra="ignore", frozen=True)

    neo4j_uri: str | None = Field(None, validation_alias=AliasChoices("TETRAGRAPH_NEO4J_URI", "NEO4J_URI"))
    """Bolt address of a Neo4j server; without it tetragraph runs its own."""
    neo4j_user: str = Field(
        "neo4j", validation_alias=AliasChoices("TETRAGRAPH_NEO4J_USER", "NEO4J_USERNAME", "NEO4J_USER")
    )
    neo4j_password: SecretStr = Field(
        SecretStr(""), validation_alias=AliasChoices("TETRAGRAPH_NEO4J_PASSWORD", "NEO4J_PASSWORD")
    )
    neo4j_database: str = Field("neo4j", validation_alias=AliasChoices("TETRAGRAPH_NEO4J_DATABASE", "NEO4J_DATABASE"))
    qdrant_url: str | None = Field(None, validation_alias=AliasChoices("TETRAGRAPH_QDRANT_URL", "QDRANT_URL"))
    """Address of a Qdrant server; without it Qdrant's engine runs in this process, on files below ``home``."""
    qdrant_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("TETRAGRAPH_QDRANT_API_KEY", "QDRANT_API_KEY")
    )

    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("tetragraph")))
    """Data of the local stores: ``neo4j/`` and ``qdrant/`` inside."""
    cache: Path = Field(default_factory=lambda: Path(platformdirs.user_cache_dir("tetragraph")))
    """Jars and memory-mapped arrays: can be deleted at any time, is made again."""

    maven_url: str | None = None
    """Where jars come from; default: Maven Central, as the ``jgo`` package knows it."""
    m2: Path | None = Field(default_factory=lambda: Path.home() / ".m2" / "repository")
    """A local Maven repository whose jars are used when size and hash fit; empty switches it off."""
    java: Path | None = None
    """A java executable (21 or 25); an error if it does not fit."""
    java_home: Path | None = Field(None, validation_alias=AliasChoices("TETRAGRAPH_JAVA_HOME", "JAVA_HOME"))
    """A Java installation that is used if it fits, before the one on the path."""
    heap_mb: int = Field(512, ge=256)
    """Java heap of the local Neo4j."""
    page_cache_mb: int = Field(128, ge=16)
    gc: Literal["serial", "g1"] = "serial"
    bolt_port: int | None = Field(None, ge=1, le=65535)
    """Fixed port of the local Neo4j; default: the last one used, else 7687, else a free one."""
    http_port: int | None = Field(None, ge=1, le=65535)
    neo4j_config: dict[str, str] = {}
    """Further settings of the local Neo4j, such as ``{"db.logs.query.enabled": "INFO"}`` (JSON in the environment)."""

    embedder: str = "bge-small"
    """``bge-small``, ``minilm``, ``openai:<model>``, ``fastembed:<model>`` or ``sentence-transformers:<model>``."""
    openai_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("TETRAGRAPH_OPENAI_API_KEY", "OPENAI_API_KEY")
    )
    openai_base_url: str | None = Field(
        None, validation_alias=AliasChoices("TETRAGRAPH_OPENAI_BASE_URL", "OPENAI_BASE_URL")
    )

    llm: str | None = None
    """Model that steps with a language model ask: its name at the endpoint, or ``replay:FILE``; None for none."""
    llm_base_url: str | None = Field(
        None, validation_alias=AliasChoices("TETRAGRAPH_LLM_BASE_URL", "TETRAGRAPH_OPENAI_BASE_URL", "OPENAI_BASE_URL")
    )
    llm_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("TETRAGRAPH_LLM_API_KEY", "TETRAGRAPH_OPENAI_API_KEY", "OPENAI_API_KEY")
    )
    llm_structured: Literal["auto", "schema", "json", "text"] = "auto"
    """How replies are kept to a form: by JSON schema, as any JSON, by the prompt alone; the best offered by default."""
    llm_concurrency: int = Field(4, ge=1, le=256)
    """Calls side by side."""
    llm_timeout_s: float = Field(120.0, gt=0)
    """Of one try."""
    llm_retries: int = Field(4, ge=0)
    """Further tries after a lost connection, 429 or 5xx."""
    llm_pause_s: float = Field(0.5, ge=0)
    """Before the second try; twice as long before each further one, unless the endpoint names a time itself."""
    llm_prices: dict[str, tuple[float, float]] = {}
    """Model to the price of a million tokens in and out: ``{"gpt-4o-mini": [0.15, 0.6]}`` (JSON in the environment)."""
    llm_cache: Path | None = None
    """File of all replies; default: ``llm.sqlite`` below ``home``."""
    llm_budget_tokens: int | None = Field(None, ge=1)
    """Of one operation, in and out."""
    llm_budget_money: float | None = Field(None, gt=0)
    llm_deadline_s: float | None = Field(None, gt=0)
    """Of one operation."""
    llm_corpus_tokens: int | None = Field(None, ge=1)
    """Of all operations on one corpus, as the file of replies remembers them."""
    llm_corpus_money: float | None = Field(None, gt=0)

    session_days: float = Field(30.0, ge=0)
    """After how many days sessions of searches in several steps may be pruned; 0 for never."""
    tree_drift: float = Field(0.02, ge=0)
    """Share of entropy that updates of the encoding tree may cost before it is to be made anew."""
    edge_wait_s: float = Field(10.0, ge=0)
    """How long to wait for another process to let go of a local Qdrant directory."""
