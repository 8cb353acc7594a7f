"""The HTTP service: REST, keys with rights, jobs and metrics over the client."""
