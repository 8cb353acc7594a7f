// find_roles — the roles in which entities take part in facts, the most common first
// Params  $corpus: STRING
// Returns role: STRING, facts: INTEGER
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
MATCH (relation)<-[participation:PARTICIPATES_IN]-(:Entity)
RETURN participation.role AS role, count(DISTINCT relation) AS facts
ORDER BY facts DESC, role
