// upsert_terms — create terms, or update the numbers of chunks that contain them
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MERGE (term:Term {corpus: $corpus, id: row.id})
SET term.df = row.df
