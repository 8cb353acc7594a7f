// find_merges_across_types — names that were merged into an entity of another type, the least sure first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns alias: STRING, alias_type: STRING, entity: STRING, entity_type: STRING, reason: STRING,
//         score: FLOAT
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (alias:Alias)
WHERE alias.corpus = $corpus AND alias.id IS NOT NULL AND alias.type <> ''
MATCH (alias)-[merge:ALIAS_OF]->(entity:Entity)
WHERE entity.type <> '' AND entity.type <> alias.type
WITH alias AS merged, entity AS kept, merge ORDER BY merge.score, merged.id, kept.id, merge.document LIMIT $limit
RETURN merged.name AS alias, merged.type AS alias_type, kept.name AS entity, kept.type AS entity_type,
       merge.reason AS reason, merge.score AS score
ORDER BY score, merged.id, kept.id, merge.document
