"""Measure what ``import tetragraph`` costs; exit 1 above the limit.

The figure is processor time, the least of several runs, less that of a bare interpreter: a busy machine does not
change it much.
"""

import os
import subprocess
import sys

LIMIT_S = 0.3
RUNS = 5


def processor_time_s(statement: str) -> float:
    """Least processor time of a new interpreter that runs ``statement``, in seconds."""
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
