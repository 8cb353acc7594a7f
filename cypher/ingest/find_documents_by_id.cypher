// find_documents_by_id — which of some documents the corpus has, the hash each had when it was ingested, and from where
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, sha256: STRING, source: STRING, origin: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
RETURN document.id AS id, document.sha256 AS sha256, coalesce(document.source, '') AS source,
       coalesce(document.origin, '') AS origin
ORDER BY id
