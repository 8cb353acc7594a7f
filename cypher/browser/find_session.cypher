// find_session — draws one search in several steps: what each step read, and the anchors that it added
// Params  $corpus: STRING, $place: INTEGER, $limit: INTEGER
// Returns shown: PATH
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
WITH session ORDER BY session.started DESC, session.id SKIP $place - 1 LIMIT 1
CALL (session) {
  MATCH shown = (session)-[:HAS_STEP]->(step:Step)-[:ADDED]->(anchor:Anchor)-[:SEEN_IN]->(chunk:Chunk)
  RETURN shown AS shown, step.number AS number, anchor.id AS id, chunk.id AS other
  ORDER BY number, id, other LIMIT $limit
  UNION ALL
  MATCH (session)-[:HAS_STEP]->(step:Step)-[:ADDED]->(anchor:Anchor)
  MATCH shown = (anchor)-[:ANCHORED]->(second:Anchor)
  RETURN shown AS shown, step.number AS number, anchor.id AS id, second.id AS other
  ORDER BY number, id, other LIMIT $limit
}
RETURN shown AS shown
ORDER BY number, id, other
