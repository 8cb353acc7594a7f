"""Measure the processor time of ``import tetragraph``; exit with 1 above the limit.

The figure is the minimum of several runs, less that of a bare interpreter; it depends little on the load of the
machine.
"""

import os
import subprocess
import sys

LIMIT_S = 0.3
RUNS = 5


def processor_time_s(statement: str) -> float:
    """Minimal processor time of a new interpreter that runs ``statement``, in seconds."""
    times = []
    for _ in range(RUNS):
        before = os.times()
        subprocess.run([sys.executable, "-c", statement], check=True)
        after = os.times()
        used = after.children_user - before.children_user + after.children_system - before.children_system
        times.append(used)
    return min(times)


if __name__ == "__main__":
    cost_s = processor_time_s("import tetragraph") - processor_time_s("pass")
    print(f"import tetragraph: {cost_s:.2f} s of processor time, at most {LIMIT_S} s")
    sys.exit(cost_s > LIMIT_S)
