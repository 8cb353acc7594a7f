// upsert_origins — the files that unchanged documents are read from now
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (document:Document {corpus: $corpus, id: row.id})
SET document.origin = row.origin
