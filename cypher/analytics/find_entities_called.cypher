// find_entities_called — entities of a name as it is written, and those that it was merged into
// Params  $corpus: STRING, $name: STRING
// Returns id: STRING, name: STRING, type: STRING, reason: STRING, document: STRING
// Access  read
// Group   quality
// Plan    NodeIndexSeek
CALL () {
  MATCH (entity:Entity {corpus: $corpus, name: $name})
  RETURN entity AS entity, '' AS reason, '' AS document
  UNION ALL
  MATCH (:Alias {corpus: $corpus, name: $name})-[merge:ALIAS_OF]->(entity:Entity)
  RETURN entity AS entity, merge.reason AS reason, merge.document AS document
}
RETURN entity.id AS id, entity.name AS name, entity.type AS type, reason AS reason, document AS document
ORDER BY reason, id, document
