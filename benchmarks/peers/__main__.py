"""The command line: one peer, one set."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.peers import results
from benchmarks.peers.comparison import Order, compare
from benchmarks.peers.peer import PEERS
from benchmarks.peers.triples import SOURCES
from tetragraph.errors import TetragraphError
from tetragraph.settings import Settings

RESULTS = Path(__file__).parents[1] / "results"


def main() -> None:
    """Run the command and print the table of the day, or exit with an error message."""
    chosen = vars(_parser().parse_args())
    folder = chosen.pop("results")
    try:
        print(results.record(compare(Order(**chosen)), folder))
    except TetragraphError as error:
        sys.exit(str(error))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    embedder = Settings().embedder
    systems = parser.add_subparsers(dest="system", required=True, metavar="|".join(PEERS))
    for name, peer in PEERS.items():
        one = systems.add_parser(name, help=f"{peer.name}, a clone of {peer.repository}")
        one.add_argument("--checkout", type=Path, required=True, help=f"folder of the clone, commit {peer.commit[:7]}")
        one.add_argument("--python", type=Path, required=True, help=f"VENV/bin/python with: {peer.install}")
        one.add_argument("--set", dest="name", required=True, help="a folder of TETRAGRAPH_DATA, such as musique_train")
        one.add_argument("--out", type=Path, required=True, help="folder for the run file, its description and the log")
        one.add_argument("--embedder", default=embedder, help=f"one of tetragraph's; {embedder} when left out")
        one.add_argument("--results", type=Path, default=RESULTS, help="folder of the day's figures")
        if name == "hipporag":
            one.add_argument("--triples", choices=SOURCES, help="recorded by an LLM, where the set has them, or spacy")
    return parser


if __name__ == "__main__":
    main()
