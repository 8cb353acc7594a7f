// delete_communities — delete every Community of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (community:Community)
WHERE community.corpus = $corpus AND community.id IS NOT NULL
CALL (community) { DETACH DELETE community } IN TRANSACTIONS OF 2000 ROWS
