// delete_communities — every Community of a corpus with its relationships, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (community:Community)
WHERE community.corpus = $corpus AND community.id IS NOT NULL
CALL (community) { DETACH DELETE community } IN TRANSACTIONS OF 2000 ROWS
