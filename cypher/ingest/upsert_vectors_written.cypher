// upsert_vectors_written — mark documents whose vectors are complete in the vector store
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (pending:PendingDocument {corpus: $corpus, id: wanted})
SET pending.vectors = true
