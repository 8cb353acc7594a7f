"""The process that serves a model: ``python -m tetragraph.llm.local.server``; started by :mod:`serve`, for nobody else.

It records itself in its folder: first that it is loading, then where it answers.
"""

from __future__ import annotations

import argparse
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

from tetragraph.llm.local.engine import load_engine
from tetragraph.llm.local.state import State, save


def main() -> None:
    """Serve until the process is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal that started it is not meant for it
    arguments = _parser().parse_args()
    state = State(arguments.name, arguments.context, arguments.threads, os.getpid())
    save(arguments.folder, state)
    xllamacpp = load_engine()
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(arguments.file)
    parameters.model_alias = {arguments.name}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = arguments.context
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = arguments.threads
    server = xllamacpp.Server(parameters)
    save(arguments.folder, replace(state, address=server.listening_address))
    threading.Event().wait()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--context", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    return parser


if __name__ == "__main__":
    main()
