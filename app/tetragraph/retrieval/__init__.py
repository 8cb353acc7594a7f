"""Evidence for a question: request validation, search with a manifest, explanation of hits."""
