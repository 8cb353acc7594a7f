"""Documents to chunks to stores; can be resumed after a kill at any moment."""
