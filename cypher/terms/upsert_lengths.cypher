// upsert_lengths — write the numbers of terms of chunks
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.id})
SET chunk.terms = row.terms
