// delete_communities — communities that hold nothing, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (community:Community)
WHERE community.corpus = $corpus AND community.id IS NOT NULL AND NOT EXISTS { (community)-[:CONTAINS]->() }
CALL (community) { DETACH DELETE community } IN TRANSACTIONS OF 2000 ROWS
