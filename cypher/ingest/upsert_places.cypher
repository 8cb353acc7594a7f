// upsert_places — the files, and lines of them, that unchanged documents are read from now
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (document:Document {corpus: $corpus, id: row.id})
SET document.origin = row.origin, document.source = row.source
