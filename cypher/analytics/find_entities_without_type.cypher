// find_entities_without_type — entities whose type nobody could tell, those in most facts and chunks first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, facts: INTEGER, chunks: INTEGER
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL AND coalesce(entity.type, '') = ''
WITH entity, COUNT { (entity)-[:PARTICIPATES_IN]->() } AS facts, COUNT { (entity)<-[:MENTIONS]-() } AS chunks
RETURN entity.id AS id, entity.name AS name, facts AS facts, chunks AS chunks
ORDER BY facts + chunks DESC, facts DESC, id
LIMIT $limit
