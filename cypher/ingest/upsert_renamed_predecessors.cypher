// upsert_renamed_predecessors — let documents that supersede renamed ones name these by their new ids
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (document:Document {corpus: $corpus, id: row.id})
SET document.meta_supersedes = row.supersedes
