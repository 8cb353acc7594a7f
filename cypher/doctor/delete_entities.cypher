// delete_entities — delete entities without a use, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL AND coalesce(entity.df, 1) > 0
  AND NOT EXISTS { (entity)-[:!REFERS_TO]-() }
CALL (entity) { DETACH DELETE entity } IN TRANSACTIONS OF 2000 ROWS
