// delete_lost_chunks — delete chunks without a document
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $ids AS wanted
MATCH (chunk:Chunk {corpus: $corpus, id: wanted})
WHERE NOT EXISTS { (chunk)<-[:HAS_CHUNK]-() }
DETACH DELETE chunk
