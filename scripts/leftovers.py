"""Find processes that still work in a folder, name them and end them; exit 1 if there was one.

Usage: leftovers.py FOLDER
"""

import os
import sys

import psutil


def leftovers(folder: str) -> list[psutil.Process]:
    """Processes other than this one that have ``folder`` in their command line or as working directory."""
    found = []
    for process in psutil.process_iter():
        try:
            places = [*process.cmdline(), process.cwd()]
        except psutil.Error:
            continue
        if process.pid != os.getpid() and any(folder in place for place in places):
            found.append(process)
    return found


def end(processes: list[psutil.Process]) -> None:
    """Ask each to end, and after ten seconds make it."""
    for process in processes:
        print(f"left behind: {process.pid} {' '.join(process.cmdline())[:200]}", file=sys.stderr)
        process.terminate()
    for process in psutil.wait_procs(processes, timeout=10)[1]:
        process.kill()


if __name__ == "__main__":
    found = leftovers(os.path.realpath(sys.argv[1]))
    end(found)
    sys.exit(bool(found))
