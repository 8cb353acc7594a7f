"""One start of a server, from the configuration file to the first response."""

from __future__ import annotations

import http.client
import socket
import time
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import DEVNULL, STDOUT, Popen, TimeoutExpired

from tetragraph.errors import CorruptHome, LocalStoreError, PortInUse, StartFailed, StoreDenied, StoreError
from tetragraph.host import processes
from tetragraph.host.private_files import write_private
from tetragraph.settings import Settings
from tetragraph.stores.local import config, ports, startup_errors
from tetragraph.stores.local.homes import LOGIN_REMEDY, Home, State
from tetragraph.stores.local.jars import Distribution
from tetragraph.stores.local.java import Java

USER = "neo4j"
START_TIMEOUT_S = 180.0
_PORT_ATTEMPTS = 3
_PROBE_TIMEOUT_S = 2.0
_POLL_S = 0.05
_BOLT_HELLO = bytes.fromhex("6060b017 00000805 00020404 00000000 00000000")


@dataclass(frozen=True, slots=True)
class Launch:
    """Parameters of a start.

    Attributes:
        browser: Jar of Neo4j Browser; None for a server without.
    """

    home: Home
    distribution: Distribution
    java: Java
    settings: Settings
    browser: Path | None = None

    def run(self) -> State:
        """Start the server and wait until it responds and accepts the login.

        Raises:
            PortInUse, StartFailed, CorruptHome: with the reason from the log; no process is left running.
        """
        for attempt in range(1, _PORT_ATTEMPTS + 1):
            with ports.choosing(self.distribution.folder.parent):
                chosen = ports.choose(self.settings.bolt_port, self.settings.http_port, self.home.last_ports())
                try:
                    return self._run_on(chosen)
                except PortInUse:  # another process took a port first
                    if attempt == _PORT_ATTEMPTS:
                        raise
        raise AssertionError

    def _run_on(self, chosen: ports.Ports) -> State:
        self._configure(chosen)
        offset = self.home.console.stat().st_size if self.home.console.exists() else 0
        began = time.monotonic()
        process = self._spawn()
        state = State(process.pid, chosen.bolt, chosen.http, self.java.version)
        try:
            self.home.save_state(state)
            self._wait(process, state, offset)
            state = replace(state, started_in_s=round(time.monotonic() - began, 2))
            check_login(self.home, state)
            self.home.save_state(state)
        except BaseException:  # also on Ctrl-C: leave no half-started server
            _end(process)
            self.home.clear_state()
            raise
        # The process outlives this object on purpose; without a return code, Popen would warn of a leak.
        process.returncode = 0
        return state

    def _configure(self, chosen: ports.Ports) -> None:
        write_private(self.home.conf, config.settings_text(self.distribution, chosen, self.settings))
        self.home.set_password(USER)
        self.home.adopt_version(self.distribution.lock.neo4j)

    def _spawn(self) -> Popen[bytes]:
        command = config.server_command(
            self.home,
            self.distribution,
            self.java,
            settings=self.settings,
            browser=self.browser,
        )
        with self.home.console.open("ab") as console:
            return Popen(
                command, stdin=DEVNULL, stdout=console, stderr=STDOUT, cwd=self.home.folder, start_new_session=True
            )

    def _wait(self, process: Popen[bytes], state: State, offset: int) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        while not is_ready(state):
            if process.poll() is not None:
                raise startup_errors.explain(self._log(offset), str(self.home.console))
            if time.monotonic() > deadline:
                raise StartFailed(
                    f"the local Neo4j must answer within {START_TIMEOUT_S:.0f} s, it does not: "
                    f"is the machine very busy? (log: {self.home.console})"
                )
            time.sleep(_POLL_S)

    def _log(self, offset: int) -> str:
        with self.home.console.open("rb") as console:
            console.seek(offset)
            return console.read().decode(errors="replace")


def is_ready(state: State) -> bool:
    """Whether both Bolt and HTTP respond, and it is the recorded process that listens there.

    Bolt responds earlier, and for a while even when HTTP fails. Another Neo4j that took a port after it was chosen
    would respond in place of this one, which then ends by itself.
    """
    ends = {state.bolt, state.http}
    return _bolt_answers(state.bolt) and _http_answers(state.http) and processes.listens(state.pid, ends)


def check_login(home: Home, state: State) -> None:
    """Check that a server which has just been started opens its database with the password of the home.

    Raises:
        CorruptHome: the data have another password, or the database cannot be opened.
    """
    try:
        ask(home, state)
    except StoreDenied as error:
        raise CorruptHome(
            f"the data in {home.folder} must have the password in {home.auth}, they have another. {LOGIN_REMEDY}"
        ) from error
    except StoreError as error:
        debug = home.folder / "logs" / "debug.log"
        log = debug.read_text(errors="replace") if debug.exists() else ""
        raise startup_errors.explain_database(log, error, home.folder, debug) from error


def ask(home: Home, state: State) -> None:
    """Log in and run one query.

    Raises:
        StoreError: see :class:`tetragraph.stores.graph.Graph`.
    """
    from tetragraph.stores.graph import Graph  # the driver takes half a second to import, which `status` can save

    graph = Graph.connect(uri(state), USER, home.password())
    try:
        graph.server()
    finally:
        graph.close()


def uri(state: State) -> str:
    """Bolt address of a server."""
    return f"bolt://{ports.LOOPBACK}:{state.bolt}"


def wait_for(home: Home, state: State) -> State:
    """Wait for a server whose start another process left unfinished; returns its completed record.

    Raises:
        StartFailed: it does not become ready.
    """
    argument = config.home_argument(home)
    began = time.monotonic()
    processes.wait_until(lambda: is_ready(state) or not processes.is_running(state.pid, argument), START_TIMEOUT_S)
    if not is_ready(state):
        raise StartFailed(
            f"a start of Neo4j was broken off and its process {state.pid} does not become ready: "
            f"`tetragraph down` ends it (log: {home.console})"
        )
    ready = replace(state, started_in_s=round(time.monotonic() - began, 2))
    home.save_state(ready)
    return ready


def refuse_orphan(home: Home) -> None:
    """Check that no unrecorded server runs on this home.

    Raises:
        LocalStoreError: one runs; the message names its pid.
    """
    pid = processes.find(config.home_argument(home))
    if pid is not None:
        raise LocalStoreError(
            f"process {pid} is a Neo4j on {home.folder} that no record tells of (its start was broken off): "
            "`tetragraph down` ends it"
        )


def _end(process: Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(processes.STOP_TIMEOUT_S)
    except TimeoutExpired:
        process.kill()
        process.wait()


def _bolt_answers(port: int) -> bool:
    try:
        with socket.create_connection((ports.LOOPBACK, port), _PROBE_TIMEOUT_S) as connection:
            connection.sendall(_BOLT_HELLO)
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def _http_answers(port: int) -> bool:
    # Not urllib, which would send requests to the loopback address through a proxy of the environment.
    connection = http.client.HTTPConnection(ports.LOOPBACK, port, timeout=_PROBE_TIMEOUT_S)
    try:
        connection.request("GET", "/", headers={"Accept": "application/json"})
        return b"neo4j_version" in connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
