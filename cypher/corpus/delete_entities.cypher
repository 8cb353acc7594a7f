// delete_entities — delete every Entity of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
CALL (entity) { DETACH DELETE entity } IN TRANSACTIONS OF 2000 ROWS
