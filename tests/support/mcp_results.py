"""Texts of what an MCP server returns, as a model reads them."""

from __future__ import annotations

from mcp.types import CallToolResult, GetPromptResult, ReadResourceResult, TextContent, TextResourceContents


def text_of(found: CallToolResult | ReadResourceResult | GetPromptResult) -> str:
    """All text of a result, of a resource or of a prompt."""
    if isinstance(found, ReadResourceResult):
        return "".join(part.text for part in found.contents if isinstance(part, TextResourceContents))
    parts = found.content if isinstance(found, CallToolResult) else [one.content for one in found.messages]
    return "".join(part.text for part in parts if isinstance(part, TextContent))
