// delete_pending_documents — delete the notes on published changes, in steps
// Params  $corpus: STRING, $published: INTEGER
// Returns none
// Access  write
// Allows  Eager
MATCH (pending:PendingDocument)
WHERE pending.corpus = $corpus AND pending.id IS NOT NULL AND pending.generation <= $published
CALL (pending) { DELETE pending } IN TRANSACTIONS OF 10000 ROWS
