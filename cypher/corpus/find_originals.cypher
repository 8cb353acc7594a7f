// find_originals — those of some chunks that have a near copy, each with the chunk of the original, in order of id
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, near: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (chunk:Chunk)
USING INDEX SEEK chunk:Chunk(corpus, id)
WHERE chunk.corpus = $corpus AND chunk.id = wanted AND chunk.near IS NOT NULL
RETURN chunk.id AS id, chunk.near AS near
ORDER BY id
