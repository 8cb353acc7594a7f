// count_languages — number of documents of a corpus by language; those whose language is unknown are left out
// Params  $corpus: STRING
// Returns language: STRING, documents: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL AND document.language IS NOT NULL
RETURN document.language AS language, count(*) AS documents
ORDER BY language
