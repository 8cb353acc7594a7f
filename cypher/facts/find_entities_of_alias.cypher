// find_entities_of_alias — entities that a merged name denotes: first those in all documents, then those inside one
// Params  $corpus: STRING, $alias: STRING
// Returns id: STRING, name: STRING, document: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (:Alias {corpus: $corpus, id: $alias})-[merge:ALIAS_OF]->(entity:Entity)
RETURN entity.id AS id, entity.name AS name, merge.document AS document
ORDER BY document, id
