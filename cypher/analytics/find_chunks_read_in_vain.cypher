// find_chunks_read_in_vain — chunks that many questions retrieve, and in which no anchor was seen
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, questions: INTEGER, best_rank: INTEGER
// Access  read
// Group   evidence
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
MATCH (session)-[:HAS_STEP]->(step:Step)-[found:RETRIEVED]->(chunk:Chunk)
WHERE NOT EXISTS { (chunk)<-[:SEEN_IN]-(:Anchor) }
WITH chunk, count(DISTINCT step.question) AS questions, min(found.rank) AS best_rank
RETURN chunk.id AS id, chunk.title AS title, questions AS questions, best_rank AS best_rank
ORDER BY questions DESC, best_rank, id
LIMIT $limit
