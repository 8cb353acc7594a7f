// find_reversed_facts — pairs of facts in which two entities have each other's roles
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns type: STRING, role: STRING, first: STRING, second: STRING, one: STRING, other: STRING
// Access  read
// Group   contradictions
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
MATCH (first:Entity)-[:PARTICIPATES_IN {role: 'subject'}]->(relation)<-[part:PARTICIPATES_IN]-(second:Entity)
WHERE part.role <> 'subject' AND first.id < second.id
MATCH (second)-[:PARTICIPATES_IN {role: 'subject'}]->(mirror:Relation)<-[counterpart:PARTICIPATES_IN]-(first)
WHERE mirror.type = relation.type AND counterpart.role = part.role
WITH relation.type AS type, collect([part.role, first, second, relation, mirror]) AS cases
UNWIND cases AS case
WITH type, size(cases) AS number, case[0] AS role, case[1] AS first, case[2] AS second, case[3] AS fact,
     case[4] AS mirror
RETURN type AS type, role AS role, first.name AS first, second.name AS second, fact.description AS one,
       mirror.description AS other
ORDER BY number, type, role, fact.id, mirror.id
LIMIT $limit
