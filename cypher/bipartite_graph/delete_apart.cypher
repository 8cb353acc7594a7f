// delete_apart — a name may be an entity's again; an entity that stood for nothing else goes
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
