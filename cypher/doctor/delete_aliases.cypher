// delete_aliases — delete aliases of no entity, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (alias:Alias)
WHERE alias.corpus = $corpus AND alias.id IS NOT NULL AND NOT EXISTS { (alias)-[:ALIAS_OF|KEPT_APART]->() }
CALL (alias) { DETACH DELETE alias } IN TRANSACTIONS OF 2000 ROWS
