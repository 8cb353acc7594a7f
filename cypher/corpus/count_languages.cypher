// count_languages — number of documents by language; those whose language is unknown are left out
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns language: STRING, documents: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
WHERE document.language IS NOT NULL
RETURN document.language AS language, count(*) AS documents
ORDER BY language
