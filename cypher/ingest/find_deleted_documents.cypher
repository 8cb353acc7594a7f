// find_deleted_documents — which of some documents were deleted by a change that has not been completed
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (pending:PendingDocument {corpus: $corpus, id: wanted})
WHERE NOT EXISTS { (:Document {corpus: $corpus, id: wanted}) }
RETURN pending.id AS id
ORDER BY id
