// delete_entities — every Entity of a corpus with its relationships, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
CALL (entity) { DETACH DELETE entity } IN TRANSACTIONS OF 2000 ROWS
