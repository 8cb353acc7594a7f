"""The host machine: optional packages, file locks, processes, processors and numeric libraries."""
