// delete_aliases — every Alias of a corpus with its relationships, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (alias:Alias)
WHERE alias.corpus = $corpus AND alias.id IS NOT NULL
CALL (alias) { DETACH DELETE alias } IN TRANSACTIONS OF 2000 ROWS
