"""Log lines of the commands, on standard error."""

from __future__ import annotations

import logging
from typing import Final

LEVELS: Final = {"warning": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}
"""Value of ``TETRAGRAPH_LOG`` to the level of the logger; also the effect of no, one and two ``-v``."""
_logger = logging.getLogger("tetragraph")


def start() -> None:
    """Print warnings from now on, until :func:`lower` asks for more."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    logging.getLogger("neo4j").setLevel(logging.CRITICAL)  # its errors are raised, too, and said in our words
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    _logger.setLevel(logging.WARNING)


def lower(level: int) -> None:
    """Print log lines of this level, too; a level that is already printed changes nothing."""
    _logger.setLevel(min(level, _logger.level))


def level_of(verbose: int) -> int:
    """Level of that many ``-v``.

    >>> [logging.getLevelName(level_of(count)) for count in (0, 1, 2, 3)]
    ['WARNING', 'INFO', 'DEBUG', 'DEBUG']
    """
    levels = list(LEVELS.values())
    return levels[min(verbose, len(levels) - 1)]
