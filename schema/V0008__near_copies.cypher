// Passages of documents that are nearly the same are found by the passage of the original.
CREATE INDEX chunk_near IF NOT EXISTS FOR (n:Chunk) ON (n.corpus, n.near);
