// find_documents_by_metadata — documents by the value of a key of their metadata, or each of a list, the last first
// Params  $corpus: STRING, $key: STRING = 'year', $limit: INTEGER = 20
// Returns value: STRING, documents: INTEGER, chunks: INTEGER, tokens: INTEGER
// Access  read
// Group   growth
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
CALL (document) {
  MATCH (document)-[:HAS_CHUNK]->(chunk:Chunk)
  RETURN count(chunk) AS chunks, sum(chunk.tokens) AS tokens
}
CALL (document) {
  WITH document['meta_' + $key] AS stored
  UNWIND CASE WHEN stored IS NULL OR stored = [] THEN [''] WHEN stored IS :: LIST<ANY> THEN stored ELSE [stored] END AS one
  RETURN DISTINCT toString(one) AS value
}
RETURN value AS value, count(document) AS documents, sum(chunks) AS chunks, sum(tokens) AS tokens
ORDER BY value DESC
LIMIT $limit
