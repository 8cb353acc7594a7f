// find_merged_names — names that were merged into entities, and why; the least sure first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns alias: STRING, entity: STRING, name: STRING, type: STRING, reason: STRING, score: FLOAT, document: STRING
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (alias:Alias)
WHERE alias.corpus = $corpus AND alias.id IS NOT NULL
MATCH (alias)-[merge:ALIAS_OF]->(entity:Entity)
RETURN alias.name AS alias, entity.id AS entity, entity.name AS name, entity.type AS type,
       merge.reason AS reason, merge.score AS score, merge.document AS document
ORDER BY score, alias, entity, document
LIMIT $limit
