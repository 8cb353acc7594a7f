// upsert_vectors_written — the vector store holds what these documents' chunks need
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (pending:PendingDocument {corpus: $corpus, id: wanted})
SET pending.vectors = true
