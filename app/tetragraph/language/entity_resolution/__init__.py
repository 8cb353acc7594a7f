"""Entity resolution: rules by which names of one entity are merged, each merge with its reason."""
