// find_titles — titles of those of some documents that the corpus has
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, title: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
RETURN document.id AS id, document.title AS title
ORDER BY id
