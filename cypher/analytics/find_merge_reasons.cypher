// find_merge_reasons — the rules by which names were merged, with the least sure pair of each
// Params  $corpus: STRING
// Returns reason: STRING, names: INTEGER, entities: INTEGER, lowest: FLOAT, mean: FLOAT, alias: STRING,
//         entity: STRING
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (alias:Alias)
WHERE alias.corpus = $corpus AND alias.id IS NOT NULL
MATCH (alias)-[merge:ALIAS_OF]->(entity:Entity)
WITH alias, merge, entity ORDER BY merge.score, alias.name, alias.id, entity.id
WITH merge.reason AS reason, count(DISTINCT alias) AS names, count(DISTINCT entity) AS entities,
     min(merge.score) AS lowest, avg(merge.score) AS mean, collect([alias.name, entity.name])[0] AS pair
RETURN reason AS reason, names AS names, entities AS entities, lowest AS lowest, mean AS mean, pair[0] AS alias,
       pair[1] AS entity
ORDER BY names DESC, reason
