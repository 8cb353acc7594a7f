// find_documents_by_id — stored documents by id, with their hashes; unknown ids are left out
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, sha256: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
RETURN document.id AS id, document.sha256 AS sha256
ORDER BY id
