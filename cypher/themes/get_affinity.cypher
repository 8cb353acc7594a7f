// get_affinity — parts of the affinity of two chunks, and the entities that both name
// Params  $corpus: STRING, $first: STRING, $second: STRING
// Returns semantic: FLOAT, logical: FLOAT, distance: FLOAT, weight: FLOAT, entities: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
// Source  SeRAG (2026), eq. (3) to (6)
MATCH (first:Chunk {corpus: $corpus, id: $first})-[affinity:AFFINITY]-(second:Chunk)
WHERE second.id = $second
RETURN affinity.semantic AS semantic, affinity.logical AS logical, affinity.distance AS distance,
       affinity.weight AS weight,
       COLLECT {
         MATCH (first)-[:MENTIONS|DESCRIBES]->(entity:Entity)
         WHERE EXISTS { (second)-[:MENTIONS|DESCRIBES]->(entity) }
         RETURN DISTINCT entity.name ORDER BY entity.name
       } AS entities
