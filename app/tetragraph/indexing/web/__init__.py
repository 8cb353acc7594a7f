"""Pages of a list of addresses: fetched with regard for their servers, and only when they have changed."""
