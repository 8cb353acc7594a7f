// find_documents_by_id — stored documents by id, with hashes and origins; unknown ids are left out
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, sha256: STRING, source: STRING, origin: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
RETURN document.id AS id, document.sha256 AS sha256, coalesce(document.source, '') AS source,
       coalesce(document.origin, '') AS origin
ORDER BY id
