"""The page of the service: search, answers, graphs, sessions and administration in a browser."""
