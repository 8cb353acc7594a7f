// find_most_factual_entities — the entities in most facts, with the commonest types of these
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, type: STRING, facts: INTEGER, as_subject: INTEGER, types: LIST<STRING>
// Access  read
// Group   hubs
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
WITH entity, COUNT { (entity)-[:PARTICIPATES_IN]->() } AS facts
WHERE facts > 0
WITH entity, facts ORDER BY facts DESC, entity.id LIMIT $limit
RETURN entity.id AS id, entity.name AS name, coalesce(entity.type, '') AS type, facts AS facts,
       COUNT { (entity)-[:PARTICIPATES_IN {role: 'subject'}]->() } AS as_subject,
       COLLECT {
         MATCH (entity)-[:PARTICIPATES_IN]->(relation:Relation)
         WITH relation.type AS kind, count(relation) AS number
         RETURN kind ORDER BY number DESC, kind LIMIT 5
       } AS types
ORDER BY facts DESC, id
