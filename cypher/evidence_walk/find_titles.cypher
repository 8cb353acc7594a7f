// find_titles — the entities that title some chunks
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, name: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (chunk:Chunk {corpus: $corpus, id: wanted})-[:DESCRIBES]->(entity:Entity)
RETURN DISTINCT entity.id AS id, entity.name AS name
ORDER BY id
