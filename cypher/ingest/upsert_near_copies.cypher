// upsert_near_copies — write or remove the originals of near copies
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.id})
SET chunk.near = row.near
