// delete_entities — entities that nothing names, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL AND coalesce(entity.df, 1) > 0
  AND NOT EXISTS { (entity)-[:!REFERS_TO]-() }
CALL (entity) { DETACH DELETE entity } IN TRANSACTIONS OF 2000 ROWS
