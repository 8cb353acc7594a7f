"""Pure functions on arrays: one algorithm per file, no I/O."""
