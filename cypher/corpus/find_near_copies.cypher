// find_near_copies — all chunks with a near copy, each with the chunk of the original, in order of id
// Params  $corpus: STRING
// Returns id: STRING, near: STRING
// Access  read
// Plan    NodeIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.near IS NOT NULL
RETURN chunk.id AS id, chunk.near AS near
ORDER BY id
