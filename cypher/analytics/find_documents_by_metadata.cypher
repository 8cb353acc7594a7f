// find_documents_by_metadata — documents by the value of a key of their metadata, the last first
// Params  $corpus: STRING, $key: STRING = 'year', $limit: INTEGER = 20
// Returns value: STRING, documents: INTEGER, chunks: INTEGER, tokens: INTEGER
// Access  read
// Group   growth
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
OPTIONAL MATCH (document)-[:HAS_CHUNK]->(chunk:Chunk)
WITH coalesce(toString(document['meta_' + $key]), '') AS value, count(DISTINCT document) AS documents,
     count(chunk) AS chunks, sum(chunk.tokens) AS tokens
RETURN value AS value, documents AS documents, chunks AS chunks, tokens AS tokens
ORDER BY value DESC
LIMIT $limit
