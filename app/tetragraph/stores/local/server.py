"""Starts, stops and finds the Neo4j of a home."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tetragraph.host import processes
from tetragraph.progress import NoProgress, Progress
from tetragraph.settings import Settings
from tetragraph.stores.local import browser, config, download, homes, jars, java, launch
from tetragraph.stores.local.homes import Home, State


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A running local server.

    Attributes:
        browser_url: Address of Neo4j Browser with address and user filled in; it asks for the password.
        password_file: File that holds the password of the user; only its owner can read it.
        new: Whether this call started the server.
        started_in_s: Seconds from the start of the process until Bolt and HTTP responded.
    """

    uri: str
    http_url: str
    browser_url: str
    user: str
    password: str = field(repr=False)
    password_file: Path
    pid: int
    new: bool
    started_in_s: float

    @property
    def data_folder(self) -> Path:
        """Folder of its databases and their transaction logs."""
        return self.password_file.parent / "data"


def start(settings: Settings, progress: Progress | None = None, *, check: bool = False) -> LocalServer:
    """The running server of this home; started, after downloading missing jars, if none runs.

    Several processes may call it at once: one of them starts the server, and all get it. ``progress`` receives the
    stages ``jars`` (bytes) and ``neo4j``; with ``check`` the SHA-256 of every jar is verified first.

    Raises:
        DownloadFailed, JavaNotFound, PortInUse, StartFailed, CorruptHome: see :mod:`tetragraph.errors`.
        LocalStoreError: the disk is nearly full, or the system is Windows.
        InvalidInput: the path of the home or the cache cannot stand on a class path.
        MissingDependency: a package of the ``local`` extra is not installed.
    """
    progress = progress or NoProgress()
    if not check and (running := find(settings)):
        return running
    config.check_folders(settings)
    distribution = jars.distribution(settings.cache)
    download.complete(distribution, download.source(settings), progress, check=check)
    home = homes.of(settings)
    home.prepare()
    with home.exclusive():
        state = home.state()
        if state is not None and is_alive(home, state):
            ready = state if state.started_in_s is not None else launch.wait_for(home, state)
            return _server(home, ready, new=False)
        launch.refuse_orphan(home)
        progress.start("neo4j", None, "")
        runtime = java.find(settings.java, settings.java_home)
        served = browser.prepare(home, distribution)
        state = launch.Launch(home, distribution, runtime, settings, served).run()
        progress.finish("neo4j")
    return _server(home, state, new=True)


def find(settings: Settings) -> LocalServer | None:
    """The server of this home if it runs and is ready; starts nothing."""
    home = homes.of(settings)
    state = home.state()
    if state is None or state.started_in_s is None or not is_alive(home, state):
        return None
    return _server(home, state, new=False)


def has_data(settings: Settings) -> bool:
    """Whether the server of this home has been started before, so that there may be something to read."""
    return homes.of(settings).has_password_set


def stop(settings: Settings) -> bool:
    """Stop the server of this home, even one whose start was interrupted; returns whether one ran."""
    home = homes.of(settings)
    if not (home.folder / "run").is_dir():
        return False
    argument = config.home_argument(home)
    with home.exclusive():
        state = home.state()
        pid = state.pid if state is not None and is_alive(home, state) else processes.find(argument)
        if pid is not None:
            processes.stop(pid, argument)
        home.clear_state()
        browser.remove_temporary(home)
    return pid is not None


def is_alive(home: Home, state: State) -> bool:
    """Whether the recorded process is still the server of this home."""
    return processes.is_running(state.pid, config.home_argument(home))


def _server(home: Home, state: State, *, new: bool) -> LocalServer:
    return LocalServer(
        uri=launch.uri(state),
        http_url=f"http://127.0.0.1:{state.http}",
        browser_url=f"http://localhost:{state.http}/browser/?dbms=bolt://{launch.USER}@localhost:{state.bolt}",
        user=launch.USER,
        password=home.password(),
        password_file=home.auth,
        pid=state.pid,
        new=new,
        started_in_s=state.started_in_s or 0.0,
    )
