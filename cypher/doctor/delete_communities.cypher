// delete_communities — delete empty communities, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (community:Community)
WHERE community.corpus = $corpus AND community.id IS NOT NULL AND NOT EXISTS { (community)-[:CONTAINS]->() }
CALL (community) { DETACH DELETE community } IN TRANSACTIONS OF 2000 ROWS
