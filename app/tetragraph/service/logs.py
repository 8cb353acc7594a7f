"""Log lines of the service as JSON, one for each request; those that used a corpus are the audit log.

The loggers ``tetragraph.requests`` and ``tetragraph.audit`` have the entries as records; :func:`start` prints them.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

requests = logging.getLogger("tetragraph.requests")
audit = logging.getLogger("tetragraph.audit")
UNKNOWN_ROUTE: Final = "unknown"
"""Route in the entry of a request that was refused before it had one, or whose address has none."""
_UNAUDITED: Final = (UNKNOWN_ROUTE, "/healthz", "/readyz", "/metrics", "/openapi.json", "/assets/{name}")


def record(entry: Mapping[str, Any]) -> None:
    """Log a request; one that used a corpus or managed the service is part of the audit log."""
    logger = requests if entry["route"] in _UNAUDITED else audit
    logger.info("request", extra={"entry": dict(entry)})


class JsonLines(logging.Formatter):
    """A formatter that writes each record as one line of JSON; line ends inside texts are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        entry = getattr(record, "entry", None)
        told |= entry if entry is not None else {"message": record.getMessage()}
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def start(audit_file: Path | None) -> None:
    """Print log lines as JSON on standard error, and append the audit log to a file, too, if one is given."""
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines())
    for name in ("tetragraph", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [lines]
        logger.propagate = False
    requests.setLevel(logging.INFO)
    audit.setLevel(logging.INFO)
    if audit_file is not None:
        kept = logging.FileHandler(audit_file, encoding="utf-8")
        kept.setFormatter(JsonLines())
        audit.handlers[:] = [kept]
