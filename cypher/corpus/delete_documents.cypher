// delete_documents — delete every Document of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
CALL (document) { DETACH DELETE document } IN TRANSACTIONS OF 2000 ROWS
