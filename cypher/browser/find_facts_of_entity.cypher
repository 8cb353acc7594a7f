// find_facts_of_entity — draws one entity, the facts in which it takes part, and who else does
// Params  $corpus: STRING, $place: INTEGER, $limit: INTEGER
// Returns shown: PATH
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
WITH entity, COUNT { (entity)-[:PARTICIPATES_IN]->() } AS facts
ORDER BY facts DESC, entity.id SKIP $place - 1 LIMIT 1
MATCH (entity)-[:PARTICIPATES_IN]->(fact:Relation)
WITH DISTINCT entity, fact ORDER BY fact.weight DESC, fact.confidence DESC, fact.id LIMIT $limit
MATCH shown = (entity)-[:PARTICIPATES_IN]->(fact)<-[:PARTICIPATES_IN]-(other:Entity)
RETURN shown AS shown
ORDER BY fact.id, other.id
