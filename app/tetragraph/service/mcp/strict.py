"""A server whose tools and prompts refuse arguments that they do not have, and name those that are missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult, Tool
from pydantic import ValidationError

from tetragraph.service import problems


class StrictServer(MCPServer[Any]):
    """The SDK's server, which refuses unknown arguments: as it is, a misspelt filter would have no effect."""

    async def list_tools(self) -> list[Tool]:
        """All tools, with schemas that allow no other arguments."""
        return [
            tool.model_copy(update={"input_schema": {**tool.input_schema, "additionalProperties": False}})
            for tool in await super().list_tools()
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool.

        Raises:
            ToolError: there is no such tool, it has no such argument, or it fails.
        """
        for tool in await super().list_tools():
            if tool.name == name and (fault := _find_unknown(arguments, tool.input_schema["properties"])):
                raise ToolError(f"{name}: {fault}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(f"{name}: {problems.invalid_request(error.__cause__.errors())}") from error
            raise

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Get a prompt.

        Raises:
            MCPError: there is no such prompt, an argument is missing, or it has no such argument.
        """
        known = {prompt.name: prompt.arguments or [] for prompt in await self.list_prompts()}
        if name not in known:
            raise MCPError(INVALID_PARAMS, f"the prompt must be one of {', '.join(sorted(known))}, got {name!r:.100}")
        given = arguments or {}
        if missing := [one.name for one in known[name] if one.required and one.name not in given]:
            raise MCPError(INVALID_PARAMS, f"{name}: the prompt needs {', '.join(missing)}: give a text for each")
        if fault := _find_unknown(given, [one.name for one in known[name]]):
            raise MCPError(INVALID_PARAMS, f"{name}: {fault}")
        return await super().get_prompt(name, arguments, context)


def _find_unknown(given: Mapping[str, Any], known: Collection[str]) -> str:
    """The fault of arguments of which some are unknown, in words; empty if none is."""
    unknown = sorted(set(given) - set(known))
    if not unknown:
        return ""
    return f"arguments must be among {', '.join(known) or 'none'}, got {', '.join(unknown):.200}"
