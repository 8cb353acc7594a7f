// find_documents — a page of a corpus' documents, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns document: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id > $after
WITH document ORDER BY document.corpus, document.id LIMIT $limit
RETURN properties(document) AS document
ORDER BY document.id
