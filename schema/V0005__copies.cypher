// Chunks with the same text are found by its hash.
CREATE INDEX chunk_sha256 IF NOT EXISTS FOR (n:Chunk) ON (n.corpus, n.sha256);
