// upsert_renamed_chunks — give the chunks of renamed documents their new ids, and extractions those of their chunks
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.old})
SET chunk.id = row.new
WITH row
OPTIONAL MATCH (extraction:Extraction {corpus: $corpus, id: row.old})
SET extraction.id = row.new
