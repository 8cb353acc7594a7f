// link_apart — keep a name apart from an entity permanently
// Params  $corpus: STRING, $alias: STRING, $entity: STRING, $generation: INTEGER
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (alias:Alias {corpus: $corpus, id: $alias})
MATCH (entity:Entity {corpus: $corpus, id: $entity})
MERGE (alias)-[apart:KEPT_APART]->(entity)
ON CREATE SET apart.generation = $generation
