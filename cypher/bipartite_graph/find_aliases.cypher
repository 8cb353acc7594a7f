// find_aliases — a page of merged names, by id, with entities and reasons, and the entities they are kept apart from
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, name: STRING, type: STRING, merges: LIST<LIST>, apart: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (alias:Alias)
WHERE alias.corpus = $corpus AND alias.id > $after
WITH alias ORDER BY alias.corpus, alias.id LIMIT $limit
RETURN alias.id AS id, alias.name AS name, alias.type AS type,
       COLLECT {
         MATCH (alias)-[merge:ALIAS_OF]->(entity:Entity)
         RETURN [entity.id, merge.document, merge.reason, merge.score] AS one ORDER BY one[0], one[1]
       } AS merges,
       COLLECT { MATCH (alias)-[:KEPT_APART]->(entity:Entity) RETURN entity.id ORDER BY entity.id } AS apart
ORDER BY id
