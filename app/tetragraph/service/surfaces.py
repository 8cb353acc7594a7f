"""Surfaces of the service beside REST: the page, episodes for trainers, and MCP where its package is installed."""

from __future__ import annotations

import logging

from tetragraph.host.optional_imports import install_command
from tetragraph.service import openenv
from tetragraph.service.app import Surface
from tetragraph.service.page.surface import mount as mount_page

logger = logging.getLogger("tetragraph")


def surfaces() -> tuple[Surface, ...]:
    """The surfaces of this installation."""
    try:
        from tetragraph.service.mcp.surface import mount as mount_mcp
    except ModuleNotFoundError as error:
        if (error.name or "").split(".", 1)[0] not in {"mcp"}:
            raise
        logger.info("there is no /mcp: the package mcp is not installed: %s", install_command("mcp"))
        return (mount_page, openenv.mount)
    return (mount_mcp, mount_page, openenv.mount)
