// find_merges_by_generation — merges of names by the generation they came with, the newest first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns generation: INTEGER, names: INTEGER, entities: INTEGER, score: FLOAT, reasons: LIST<STRING>
// Access  read
// Group   growth
// Plan    NodeUniqueIndexSeek
MATCH (alias:Alias)
WHERE alias.corpus = $corpus AND alias.id IS NOT NULL
MATCH (alias)-[merge:ALIAS_OF]->(entity:Entity)
WITH alias, merge, entity ORDER BY merge.reason
WITH merge.generation AS generation, count(DISTINCT alias) AS names, count(DISTINCT entity) AS entities,
     avg(merge.score) AS score, collect(DISTINCT merge.reason) AS reasons
RETURN generation AS generation, names AS names, entities AS entities, score AS score, reasons AS reasons
ORDER BY generation DESC
LIMIT $limit
