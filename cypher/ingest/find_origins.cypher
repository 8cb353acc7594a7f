// find_origins — a page of documents that were read from files, with the file of each, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, source: STRING, origin: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id > $after AND document.origin IS NOT NULL
WITH document ORDER BY document.corpus, document.id LIMIT $limit
RETURN document.id AS id, coalesce(document.source, '') AS source, document.origin AS origin
ORDER BY id
