"""An MCP server over the client: tools, resources and a prompt, over standard input and output or HTTP."""
