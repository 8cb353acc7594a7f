// find_descriptions — which of some chunks describe which of some entities
// Params  $corpus: STRING, $ids: LIST<STRING>, $entities: LIST<STRING>
// Returns chunk: STRING, entity: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (chunk:Chunk {corpus: $corpus, id: wanted})-[:DESCRIBES]->(entity:Entity)
WHERE entity.id IN $entities
RETURN chunk.id AS chunk, entity.id AS entity
ORDER BY chunk, entity
