// find_types — the types of some entities, in order of id
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, type: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (entity:Entity {corpus: $corpus, id: wanted})
RETURN entity.id AS id, entity.type AS type
ORDER BY id
