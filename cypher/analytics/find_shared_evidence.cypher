// find_shared_evidence — the chunks that are evidence for many questions: retrieved, with an anchor seen in them
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, questions: INTEGER, best_rank: INTEGER
// Access  read
// Group   evidence
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
MATCH (session)-[:HAS_STEP]->(step:Step)-[found:RETRIEVED]->(chunk:Chunk)
WHERE EXISTS { (session)-[:HAS_STEP]->(:Step)-[:ADDED]->(:Anchor)-[:SEEN_IN]->(chunk) }
WITH chunk, count(DISTINCT step.question) AS questions, min(found.rank) AS best_rank
RETURN chunk.id AS id, chunk.title AS title, questions AS questions, best_rank AS best_rank
ORDER BY questions DESC, best_rank, id
LIMIT $limit
