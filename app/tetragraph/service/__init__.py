"""The service: REST, MCP and a page, keys with rights, jobs and metrics over the client."""
