// find_named — entities of facts by some of their possible ids, and those that some merged names denote everywhere
// Params  $corpus: STRING, $ids: LIST<STRING>, $aliases: LIST<STRING>
// Returns alias: STRING, id: STRING, name: STRING, type: STRING, confidence: FLOAT, facts: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
CALL () {
  UNWIND $aliases AS wanted
  MATCH (alias:Alias {corpus: $corpus, id: wanted})-[merge:ALIAS_OF]->(entity:Entity)
  WHERE merge.document = ''
  RETURN alias.id AS alias, entity
  UNION ALL
  UNWIND $ids AS wanted
  MATCH (entity:Entity {corpus: $corpus, id: wanted})
  RETURN '' AS alias, entity
}
WITH alias, entity
WHERE entity.confidence IS NOT NULL
RETURN alias AS alias, entity.id AS id, entity.name AS name, coalesce(entity.type, '') AS type,
       entity.confidence AS confidence, COUNT { (entity)-[:PARTICIPATES_IN]->() } AS facts
ORDER BY alias, id
