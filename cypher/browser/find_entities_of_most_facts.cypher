// find_entities_of_most_facts — lists the entities that take part in most facts, with their place for the drawing
// Params  $corpus: STRING, $limit: INTEGER
// Returns place: INTEGER, name: STRING, type: STRING, facts: INTEGER, other_names: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
WITH entity, COUNT { (entity)-[:PARTICIPATES_IN]->() } AS facts
ORDER BY facts DESC, entity.id LIMIT $limit
WITH collect({entity: entity, facts: facts}) AS found
UNWIND range(0, size(found) - 1) AS number
WITH number, found[number].entity AS entity, found[number].facts AS facts
RETURN number + 1 AS place, entity.name AS name, entity.type AS type, facts AS facts,
       COLLECT {
         MATCH (alias:Alias)-[:ALIAS_OF]->(entity) RETURN DISTINCT alias.name ORDER BY alias.name
       } AS other_names
ORDER BY place
