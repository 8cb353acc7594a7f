// find_files — a page of documents that were read from files, with file and hash of each, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, source: STRING, origin: STRING, sha256: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id > $after AND document.origin IS NOT NULL
WITH document ORDER BY document.corpus, document.id LIMIT $limit
WITH document, COUNT { (document)-[:HAS_CHUNK]->() } AS held
RETURN document.id AS id, coalesce(document.source, '') AS source, document.origin AS origin,
       CASE WHEN held = coalesce(document.chunks, held) THEN document.sha256 ELSE '' END AS sha256
ORDER BY id
