// delete_apart — allow a name to denote an entity again; deletes an entity without any other use
// Params  $corpus: STRING, $alias: STRING, $entity: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (:Alias {corpus: $corpus, id: $alias})-[apart:KEPT_APART]->(entity:Entity)
WHERE entity.id = $entity
DELETE apart
WITH entity
WHERE entity.df IS NULL AND NOT EXISTS { (entity)-[:!REFERS_TO]-() }
DETACH DELETE entity
