// delete_renamed_notes — delete the notes on renamed documents whose vectors are right
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $ids AS wanted
MATCH (pending:PendingDocument {corpus: $corpus, id: wanted})
DELETE pending
