// find_entities_by_role — the entities that take part in most facts in one role, with in how many
// Params  $corpus: STRING, $role: STRING, $limit: INTEGER = 20
// Returns entity: STRING, name: STRING, type: STRING, facts: INTEGER
// Access  read
// Group   hubs
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
MATCH (relation)<-[:PARTICIPATES_IN {role: $role}]-(entity:Entity)
WITH entity, count(relation) AS facts
RETURN entity.id AS entity, entity.name AS name, entity.type AS type, facts AS facts
ORDER BY facts DESC, name, entity
LIMIT $limit
