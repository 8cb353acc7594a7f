// upsert_hashes — write the hashes of chunks' texts
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.id})
SET chunk.sha256 = row.sha256
