"""Settings and command line of the server."""

from __future__ import annotations

import os
from pathlib import Path

from tetragraph.errors import InvalidInput
from tetragraph.host.memory import usable_memory_mb
from tetragraph.settings import Settings
from tetragraph.stores.local import browser_files, browser_guide
from tetragraph.stores.local.browser import SERVED
from tetragraph.stores.local.homes import Home
from tetragraph.stores.local.jars import Distribution
from tetragraph.stores.local.java import Java
from tetragraph.stores.local.ports import LOOPBACK, Ports

MAIN = "org.neo4j.server.Neo4jCommunity"
_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
_JVM = (
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+ExitOnOutOfMemoryError",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Djol.skipHotspotSAAttach=true",
    "--enable-native-access=ALL-UNNAMED",
    *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
)
_COLLECTORS = {"serial": "-XX:+UseSerialGC", "g1": "-XX:+UseG1GC"}


def check_folders(settings: Settings) -> None:
    """Check that the folders of jars can stand on a class path.

    Raises:
        InvalidInput: the path of the home or the cache has the character that separates paths there.
    """
    for name, folder in (("TETRAGRAPH_HOME", settings.home), ("TETRAGRAPH_CACHE", settings.cache)):
        if os.pathsep in (path := str(folder.expanduser().resolve())):
            raise InvalidInput(
                f"{name} must be a path without {os.pathsep!r}, at which Java splits its class path, got {path}: "
                "set it to another folder"
            )


def settings_text(distribution: Distribution, ports: Ports, settings: Settings) -> str:
    """The content of ``neo4j.conf``; the user's settings replace the defaults (a repeated setting stops the server).

    Raises:
        InvalidInput: a setting of the user would move the server away from its expected addresses or folders.
    """
    fixed = _fixed_settings(distribution, ports)
    if clash := sorted(fixed.keys() & settings.neo4j_config.keys()):
        raise InvalidInput(
            f"TETRAGRAPH_NEO4J_CONFIG cannot change addresses and folders, got {', '.join(clash)}: "
            "leave them out; ports are set with TETRAGRAPH_BOLT_PORT and TETRAGRAPH_HTTP_PORT"
        )
    values = {
        **fixed,
        "server.memory.pagecache.size": f"{settings.page_cache_mb or _share_of_memory(16, 128, 1_500)}m",
        "dbms.security.auth_enabled": "true",
        "dbms.security.procedures.unrestricted": "gds.*",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        # LOAD CSV would read every file of the server's user, and fetch every address that it can reach.
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
        **_browser_settings(ports),
        # A new data folder takes 3 MB in place of 517, and no 2 GB of logs gather that nothing reads any more.
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.retention_policy": "keep_none",
        # Logs are kept until the next checkpoint: with the default, 15 minutes, they grow to three times the graph.
        "db.checkpoint.interval.time": "3m",
        # Clients learn from it when a server that sends nothing is to be given up: after twice this time.
        "server.bolt.connection_keep_alive": "5s",
        # Stops in one second in place of ten.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
        **settings.neo4j_config,
    }
    return "".join(f"{name}={value}\n" for name, value in values.items())


def _fixed_settings(distribution: Distribution, ports: Ports) -> dict[str, str]:
    bolt, http = f"{LOOPBACK}:{ports.bolt}", f"{LOOPBACK}:{ports.http}"
    return {
        "server.directories.plugins": str(distribution.folder / "plugins"),
        "server.directories.lib": str(distribution.folder / "lib"),
        "server.default_listen_address": LOOPBACK,
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.enabled": "true",
        "server.http.listen_address": http,
        "server.http.advertised_address": http,
        "server.https.enabled": "false",
    }


def _browser_settings(ports: Ports) -> dict[str, str]:
    """Settings of Neo4j Browser: commands after connecting, and this server as the only host its pages may call."""
    served = f"http://localhost:{ports.http}/{SERVED}"
    callable_addresses = " ".join(
        f"{scheme}://{host}:{port}"
        for host in ("localhost", LOOPBACK)
        for scheme, port in (("ws", ports.bolt), ("http", ports.bolt), ("http", ports.http))
    )
    return {
        "browser.post_connect_cmd": "; ".join(
            (f"style {served}/{browser_files.STYLE}", *browser_guide.BEGIN, f"guide {served}/{browser_files.GUIDE}")
        ),
        "browser.remote_content_hostname_whitelist": f"localhost,{LOOPBACK}",
        # Without it, Browser loads fonts and tracking scripts from external servers.
        "dbms.security.http_static_content_security_policy_header": (
            "default-src 'self'; script-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
            "font-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; "
            f"connect-src 'self' {callable_addresses}"
        ),
    }


def _share_of_memory(part: int, least: int, most: int) -> int:
    """One of so many equal parts of the memory, in MB, within bounds."""
    return max(least, min(usable_memory_mb() // part, most))


def server_command(
    home: Home,
    distribution: Distribution,
    java: Java,
    *,
    settings: Settings,
    browser: Path | None = None,
) -> list[str]:
    """The command that runs the server.

    Args:
        home: Home of the server.
        distribution: Jars of the server.
        java: Java that runs them.
        settings: Settings of memory and garbage collector.
        browser: Jar of Neo4j Browser; without one it is not served.
    """
    return [
        str(java.executable),
        "-Xms64m",
        f"-Xmx{settings.heap_mb or _share_of_memory(12, 512, 2_000)}m",
        _COLLECTORS[settings.gc],
        *_JVM,
        *(["--sun-misc-unsafe-memory-access=allow"] if java.major >= 24 else []),
        "-cp",
        ":".join([distribution.class_path, *([str(browser)] if browser else [])]),
        MAIN,
        home_argument(home),
        f"--config-dir={home.conf.parent}",
        "--console-mode",
    ]


def home_argument(home: Home) -> str:
    """The argument that identifies the process of a home."""
    return f"--home-dir={home.folder}"
