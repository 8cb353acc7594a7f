// find_incomplete_documents — documents that have fewer or more chunks than were ingested, in order of id
// Params  $corpus: STRING
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
  AND document.chunks <> COUNT { (document)-[:HAS_CHUNK]->() }
RETURN document.id AS id
ORDER BY id
