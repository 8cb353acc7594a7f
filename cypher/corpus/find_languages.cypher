// find_languages — languages of some documents by id; those whose language is unknown, and unknown ids, are left out
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, language: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
WHERE document.language IS NOT NULL
RETURN document.id AS id, document.language AS language
ORDER BY id
