// find_common_entities — lists the entities that most passages name, with their place for the drawing
// Params  $corpus: STRING, $limit: INTEGER
// Returns place: INTEGER, name: STRING, type: STRING, passages: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
WITH entity, COUNT { (entity)<-[:MENTIONS|DESCRIBES]-() } AS named
ORDER BY named DESC, entity.id LIMIT $limit
WITH collect({entity: entity, named: named}) AS found
UNWIND range(0, size(found) - 1) AS number
RETURN number + 1 AS place, found[number].entity.name AS name, found[number].entity.type AS type,
       found[number].named AS passages
ORDER BY place
