// find_fact_types — the types of facts, the most common first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns type: STRING, facts: INTEGER, confidence: FLOAT, participants: FLOAT, chunks: FLOAT
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
WITH relation, COUNT { (relation)<-[:PARTICIPATES_IN]-() } AS participants
WITH relation.type AS type, count(relation) AS facts, avg(relation.confidence) AS confidence,
     avg(participants) AS participants, avg(relation.weight) AS chunks
RETURN type AS type, facts AS facts, confidence AS confidence, participants AS participants, chunks AS chunks
ORDER BY facts DESC, type
LIMIT $limit
