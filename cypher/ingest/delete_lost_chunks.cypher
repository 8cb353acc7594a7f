// delete_lost_chunks — the chunks that a new version of a document no longer has
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (:Document {corpus: $corpus, id: row.id})-[:HAS_CHUNK]->(chunk:Chunk)
WHERE NOT chunk.id IN row.chunk_ids
DETACH DELETE chunk
