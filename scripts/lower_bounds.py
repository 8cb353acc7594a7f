"""Print the oldest version of each dependency that pyproject.toml allows, as constraints for pip.

Usage: lower_bounds.py pyproject.toml

The tools of the extra ``dev`` are left out, as users do not install them.
"""

import re
import sys
import tomllib
from pathlib import Path


def lower_bounds(pyproject: Path) -> list[str]:
    """``name==version`` for each requirement with a lower bound; pinned requirements need no constraint.

    Raises:
        SystemExit: a requirement has neither a lower bound nor a pin.
    """
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *(line for name in extras if name != "dev" for line in extras[name])]
    bounds = []
    for requirement in requirements:
        if match := re.match(r"([\w-]+)>=([\w.]+)", requirement):
            bounds.append(f"{match[1]}=={match[2]}")
        elif "==" not in requirement and not requirement.startswith("tetragraph["):
            sys.exit(f"{pyproject}: a requirement has a lower bound or a pin, got {requirement!r}")
    return bounds


if __name__ == "__main__":
    print("\n".join(lower_bounds(Path(sys.argv[1]))))
