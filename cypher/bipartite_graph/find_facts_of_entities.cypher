// find_facts_of_entities — entities with the ids of their facts, those that take part in at most a number of facts
// Params  $corpus: STRING, $ids: LIST<STRING>, $most: INTEGER
// Returns id: STRING, facts: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (entity:Entity {corpus: $corpus, id: wanted})
WHERE COUNT { (entity)-[:PARTICIPATES_IN]->() } <= $most
MATCH (entity)-[:PARTICIPATES_IN]->(relation:Relation)
WITH entity.id AS id, collect(relation.id) AS found
RETURN id AS id, reduce(joined = '', one IN found | joined + one + ' ') AS facts
ORDER BY id
