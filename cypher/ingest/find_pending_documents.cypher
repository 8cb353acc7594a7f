// find_pending_documents — chunks added and removed since the last complete build, and whether vectors are written
// Params  $corpus: STRING
// Returns id: STRING, added: LIST<STRING>, removed: LIST<STRING>, vectors: BOOLEAN
// Access  read
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
MATCH (pending:PendingDocument)
WHERE pending.corpus = $corpus AND pending.id IS NOT NULL AND pending.generation > state.published
RETURN pending.id AS id, pending.added AS added, pending.removed AS removed, pending.vectors AS vectors
ORDER BY id
