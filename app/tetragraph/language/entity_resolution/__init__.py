"""Which names mean the same entity: the rules by which names are merged, each merge with its reason."""
