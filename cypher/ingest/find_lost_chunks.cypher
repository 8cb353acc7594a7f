// find_lost_chunks — the chunks that new versions of documents no longer contain
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (:Document {corpus: $corpus, id: row.id})-[:HAS_CHUNK]->(chunk:Chunk)
WHERE NOT chunk.id IN row.chunk_ids
RETURN chunk.id AS id
ORDER BY id
