"""The machine: optional packages, file locks, processes and processors."""
