// find_entities_of_alias — what a merged name stands for: first everywhere, then inside documents
// Params  $corpus: STRING, $alias: STRING
// Returns id: STRING, name: STRING, document: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (:Alias {corpus: $corpus, id: $alias})-[merge:ALIAS_OF]->(entity:Entity)
RETURN entity.id AS id, entity.name AS name, merge.document AS document
ORDER BY document, id
