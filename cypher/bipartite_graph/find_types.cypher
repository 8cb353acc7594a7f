// find_types — types of entities that take part in facts, by their own id or the id of a name merged into them everywhere
// Params  $corpus: STRING, $ids: LIST<STRING>, $aliases: LIST<STRING>, $without: LIST<STRING>
// Returns id: STRING, type: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
CALL () {
  UNWIND $ids AS wanted
  MATCH (entity:Entity {corpus: $corpus, id: wanted})
  RETURN wanted AS id, entity AS entity
  UNION ALL
  UNWIND $aliases AS wanted
  MATCH (:Alias {corpus: $corpus, id: wanted})-[:ALIAS_OF {document: ''}]->(entity:Entity)
  RETURN wanted AS id, entity AS entity
}
WITH id, entity
WHERE entity.confidence IS NOT NULL AND NOT entity.type IN $without
RETURN id AS id, entity.type AS type
ORDER BY id, entity.id
