// delete_lost_chunks — delete the chunks that new versions of documents no longer contain
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (:Document {corpus: $corpus, id: row.id})-[:HAS_CHUNK]->(chunk:Chunk)
WHERE NOT chunk.id IN row.chunk_ids
DETACH DELETE chunk
