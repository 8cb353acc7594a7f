// find_lost_chunks — chunks without a document, in order of id
// Params  $corpus: STRING
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL AND NOT EXISTS { (chunk)<-[:HAS_CHUNK]-() }
RETURN chunk.id AS id
ORDER BY id
