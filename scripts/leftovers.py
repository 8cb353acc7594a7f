"""Find processes that still use a folder, list and end them; exit with 1 if there were any.

Usage: leftovers.py FOLDER
"""

import os
import sys

import psutil


def find_leftovers(folder: str) -> list[psutil.Process]:
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
    """Terminate the processes, and kill those that run on after ten seconds."""
    for process in processes:
        print(f"left behind: {process.pid} {' '.join(process.cmdline())[:200]}", file=sys.stderr)
        process.terminate()
    for process in psutil.wait_procs(processes, timeout=10)[1]:
        process.kill()


if __name__ == "__main__":
    found = find_leftovers(os.path.realpath(sys.argv[1]))
    end(found)
    sys.exit(bool(found))
