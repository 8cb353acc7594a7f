"""Documents to a published corpus; an interrupted change can be resumed."""
