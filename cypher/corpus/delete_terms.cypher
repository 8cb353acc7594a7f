// delete_terms — delete every Term of a corpus, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (term:Term)
WHERE term.corpus = $corpus AND term.id IS NOT NULL
CALL (term) { DETACH DELETE term } IN TRANSACTIONS OF 10000 ROWS
