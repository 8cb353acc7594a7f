// find_documents_of_entity — draws one entity with the passages that name it and their documents
// Params  $corpus: STRING, $place: INTEGER, $limit: INTEGER
// Returns shown: PATH
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
WITH entity, COUNT { (entity)<-[:MENTIONS|DESCRIBES]-() } AS named
ORDER BY named DESC, entity.id SKIP $place - 1 LIMIT 1
MATCH shown = (:Document)-[:HAS_CHUNK]->(chunk:Chunk)-[:MENTIONS|DESCRIBES]->(entity)
RETURN shown AS shown
ORDER BY chunk.id
LIMIT $limit
