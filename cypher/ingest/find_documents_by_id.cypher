// find_documents_by_id — stored documents by id, with origins and hashes; the hash is empty where chunks are missing
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, sha256: STRING, source: STRING, origin: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
WITH document, COUNT { (document)-[:HAS_CHUNK]->() } AS held
RETURN document.id AS id, CASE WHEN held = coalesce(document.chunks, held) THEN document.sha256 ELSE '' END AS sha256,
       coalesce(document.source, '') AS source, coalesce(document.origin, '') AS origin
ORDER BY id
