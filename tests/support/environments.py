"""Environments of processes that tests start."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tetragraph.settings import Settings

NUMERIC = re.compile(r"(OPENBLAS|GOTO|BLIS|MKL|OMP|KMP|VECLIB|NUMEXPR|NPY|NUMBA)_\w+")
"""Variables that determine BLAS kernels and numbers of threads."""
SHORT_LIVED_JAVA = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}
"""Variables for a local Neo4j that runs for minutes: optimising its code takes longer than it saves."""
SHORT_LIVED_NEO4J = {"dbms.cypher.min_replan_interval": "1h", "internal.cypher.use_parameter_size": "false"}
"""Settings for it: plans stay, although each test multiplies the nodes and takes them away again, and whatever the
length of the lists and texts that it passes."""


def prefer_short_lived_java() -> None:
    """Let this process start short-lived servers, unless its caller has set the options of Java."""
    for name, value in SHORT_LIVED_JAVA.items():
        os.environ.setdefault(name, value)


def numeric_environment() -> dict[str, str]:
    """Variables of this process that a child needs in order to compute the same numbers."""
    return {name: value for name, value in os.environ.items() if NUMERIC.fullmatch(name)}


def own_home(settings: Settings, folder: Path) -> Settings:
    """Settings of the same stores with home and cache in a folder, as those of another machine."""
    return settings.model_copy(update={"home": folder / "home", "cache": folder / "cache"})


def user_environment(settings: Settings, **variables: str) -> dict[str, str]:
    """The environment of a user's process that uses the server of ``settings``.

    It inherits only the path and the numeric variables of this process. A Neo4j that it starts is a short-lived one.

    Args:
        settings: Address and password of the server, home and cache.
        variables: Further variables, which take precedence.
    """
    return {
        **numeric_environment(),
        **SHORT_LIVED_JAVA,
        "PATH": os.environ["PATH"],
        "HOME": str(settings.home),
        "NEO4J_URI": str(settings.neo4j_uri),
        "NEO4J_USERNAME": settings.neo4j_user,
        "NEO4J_PASSWORD": settings.neo4j_password.get_secret_value(),
        "TETRAGRAPH_HOME": str(settings.home),
        "TETRAGRAPH_CACHE": str(settings.cache),
        **variables,
    }
