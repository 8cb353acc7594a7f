// find_names_of_chunks — the entities that some chunks mention or describe
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, name: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (chunk:Chunk {corpus: $corpus, id: wanted})-[:MENTIONS|DESCRIBES]->(entity:Entity)
RETURN DISTINCT entity.id AS id, entity.name AS name
ORDER BY id
