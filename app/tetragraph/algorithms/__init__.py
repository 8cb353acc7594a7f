"""Pure functions on arrays: one algorithm a file, no I/O."""
