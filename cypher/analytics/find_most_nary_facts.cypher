// find_most_nary_facts — the facts in which most entities take part
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns relation: STRING, description: STRING, type: STRING, weight: INTEGER, arity: INTEGER,
//         participants: LIST<LIST>
// Access  read
// Group   hubs
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
WITH relation, COUNT { (relation)<-[:PARTICIPATES_IN]-() } AS arity
ORDER BY arity DESC, relation.weight DESC, relation.id
LIMIT $limit
RETURN relation.id AS relation, relation.description AS description, relation.type AS type,
       relation.weight AS weight, arity AS arity,
       COLLECT {
         MATCH (entity:Entity)-[participation:PARTICIPATES_IN]->(relation)
         RETURN [participation.role, entity.name] ORDER BY participation.role, entity.name, entity.id
       } AS participants
ORDER BY arity DESC, weight DESC, relation
