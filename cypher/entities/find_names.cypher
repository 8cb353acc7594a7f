// find_names — names of entities, in order of id
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, name: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS id
MATCH (entity:Entity {corpus: $corpus, id: id})
RETURN entity.id AS id, entity.name AS name
ORDER BY id
