// find_titles — titles of documents by id; unknown ids are left out
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, title: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
RETURN document.id AS id, document.title AS title
ORDER BY id
