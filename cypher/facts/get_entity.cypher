// get_entity — one entity: the number of its facts, the names merged into it, the names kept apart from it
// Params  $corpus: STRING, $entity: STRING
// Returns id: STRING, name: STRING, type: STRING, facts: INTEGER, aliases: LIST<LIST>, kept_apart: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity {corpus: $corpus, id: $entity})
RETURN entity.id AS id, entity.name AS name, coalesce(entity.type, '') AS type,
       COUNT { (entity)-[:PARTICIPATES_IN]->() } AS facts,
       COLLECT {
         MATCH (alias:Alias)-[merge:ALIAS_OF]->(entity)
         RETURN [alias.name, merge.reason, merge.score, merge.document] ORDER BY alias.name, alias.id, merge.document
       } AS aliases,
       COLLECT {
         MATCH (alias:Alias)-[:KEPT_APART]->(entity) RETURN alias.name ORDER BY alias.name, alias.id
       } AS kept_apart
