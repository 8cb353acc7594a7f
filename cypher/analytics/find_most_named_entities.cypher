// find_most_named_entities — the entities that most chunks name
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, type: STRING, chunks: INTEGER, described: INTEGER, facts: INTEGER
// Access  read
// Group   hubs
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
WITH entity, COUNT { (entity)<-[:MENTIONS]-() } AS chunks
WHERE chunks > 0
WITH entity, chunks ORDER BY chunks DESC, entity.id LIMIT $limit
RETURN entity.id AS id, entity.name AS name, coalesce(entity.type, '') AS type, chunks AS chunks,
       COUNT { (entity)<-[:DESCRIBES]-() } AS described, COUNT { (entity)-[:PARTICIPATES_IN]->() } AS facts
ORDER BY chunks DESC, id
