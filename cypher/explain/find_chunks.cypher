// find_chunks — chunks by id with all their properties
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, properties: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (chunk:Chunk {corpus: $corpus, id: wanted})
RETURN chunk.id AS id, properties(chunk) AS properties
ORDER BY id
