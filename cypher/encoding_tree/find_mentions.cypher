// find_mentions — the entities that some chunks mention, all or some of them, with the number of occurrences
// Params  $corpus: STRING, $ids: LIST<STRING>, $entities: LIST<STRING>
// Returns chunk: STRING, entity: STRING, count: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (chunk:Chunk {corpus: $corpus, id: wanted})-[mention:MENTIONS]->(entity:Entity)
WHERE $entities IS NULL OR entity.id IN $entities
RETURN chunk.id AS chunk, entity.id AS entity, mention.count AS count
ORDER BY chunk, entity
