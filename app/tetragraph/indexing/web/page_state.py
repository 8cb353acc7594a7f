"""Pages that a list had at the last sync, with what makes the next requests for them conditional."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tetragraph.host.private_files import make_private_folder, write_private
from tetragraph.host.system_errors import report_refusals


@dataclass(frozen=True, slots=True)
class Validators:
    """Headers by which a server identified the version of a page that was read."""

    etag: str = ""
    last_modified: str = ""

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Self:
        """The validators of an answer, from its headers in small letters."""
        return cls(headers.get("etag", ""), headers.get("last-modified", ""))

    @property
    def headers(self) -> dict[str, str]:
        """Headers by which a server answers with status 304 while the page is the same; a request has ASCII only."""
        stated = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in stated.items() if value and value.isascii()}


@dataclass(slots=True)
class PageState:
    """Pages of a list at the last sync.

    Attributes:
        pages: Validators by address; the pages whose documents belong to the list.
        sitemaps: Addresses of its sitemaps.
    """

    pages: dict[str, Validators] = field(default_factory=dict)
    sitemaps: set[str] = field(default_factory=set)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a stored state; an empty one where there is none, or it is damaged."""
        try:
            tree: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            pages = {str(one): Validators(str(etag), str(time)) for one, (etag, time) in tree["pages"].items()}
            return cls(pages, {str(one) for one in tree["sitemaps"]})
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def save(self, path: Path) -> None:
        """Write the state."""
        pages = {one: [stated.etag, stated.last_modified] for one, stated in self.pages.items()}
        tree = {"pages": pages, "sitemaps": sorted(self.sitemaps)}
        with report_refusals(path.parent, "TETRAGRAPH_HOME"):
            make_private_folder(path.parent)
            write_private(path, json.dumps(tree, ensure_ascii=False, sort_keys=True))
