// delete_aliases — delete every Alias of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (alias:Alias)
WHERE alias.corpus = $corpus AND alias.id IS NOT NULL
CALL (alias) { DETACH DELETE alias } IN TRANSACTIONS OF 2000 ROWS
