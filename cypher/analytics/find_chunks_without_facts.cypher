// find_chunks_without_facts — chunks that state no fact, the longest first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, tokens: INTEGER, text: STRING
// Access  read
// Group   coverage
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL AND NOT EXISTS { (chunk)<-[:STATED_IN]-() }
RETURN chunk.id AS id, chunk.title AS title, chunk.tokens AS tokens, left(chunk.text, 120) AS text
ORDER BY tokens DESC, id
LIMIT $limit
