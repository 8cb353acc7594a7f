// find_longest_searches — the sessions that took most steps, with what they went through and how they ended
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, question: STRING, steps: INTEGER, chunks: INTEGER, anchors: INTEGER, stopped: STRING
// Access  read
// Group   evidence
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
WITH session, COUNT { (session)-[:HAS_STEP]->() } AS steps
ORDER BY steps DESC, session.started DESC, session.id LIMIT $limit
RETURN session.id AS id, session.question AS question, steps AS steps,
       COUNT { MATCH (session)-[:HAS_STEP]->(:Step)-[:RETRIEVED]->(chunk:Chunk) RETURN DISTINCT chunk } AS chunks,
       COUNT { MATCH (session)-[:HAS_STEP]->(:Step)-[:ADDED]->(anchor:Anchor) RETURN DISTINCT anchor } AS anchors,
       coalesce(session.stopped, session.status) AS stopped
ORDER BY steps DESC, session.started DESC, id
