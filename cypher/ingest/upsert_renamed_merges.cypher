// upsert_renamed_merges — let the merges that hold in one document follow it to its new id
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (alias:Alias)-[merge:ALIAS_OF]->()
WHERE alias.corpus = $corpus AND alias.id IS NOT NULL AND merge.document = row.old
SET merge.document = row.new
