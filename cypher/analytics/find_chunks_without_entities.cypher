// find_chunks_without_entities — chunks that name no entity, the longest first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, tokens: INTEGER, text: STRING
// Access  read
// Group   coverage
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL AND NOT EXISTS { (chunk)-[:MENTIONS|DESCRIBES]->() }
RETURN chunk.id AS id, chunk.title AS title, chunk.tokens AS tokens, left(chunk.text, 120) AS text
ORDER BY tokens DESC, id
LIMIT $limit
