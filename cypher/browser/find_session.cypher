// find_session — draws one search in several steps: of each step the anchors most tied, and where they were seen
// Params  $corpus: STRING, $place: INTEGER, $limit: INTEGER
// Returns shown: PATH
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
WITH session ORDER BY session.started DESC, session.id SKIP $place - 1 LIMIT 1
MATCH begun = (session)-[:HAS_STEP]->(step:Step)
CALL (begun, session, step) {
  RETURN begun AS shown, '' AS id, '' AS other
  UNION ALL
  MATCH shown = (session)-[:HAS_STEP]->(step)-[:ADDED]->(anchor:Anchor)-[:SEEN_IN]->(chunk:Chunk)
  RETURN shown AS shown, anchor.id AS id, chunk.id AS other
  ORDER BY COUNT { (anchor)-[:ANCHORED]-() } DESC, id, other LIMIT ($limit + 2) / 3
  UNION ALL
  MATCH shown = (session)-[:HAS_STEP]->(step)-[:ADDED]->(anchor:Anchor)-[:ANCHORED]-(second:Anchor)
  RETURN shown AS shown, anchor.id AS id, second.id AS other
  ORDER BY COUNT { (anchor)-[:ANCHORED]-() } DESC, id, other LIMIT ($limit + 2) / 3
}
RETURN shown AS shown
ORDER BY step.number, id, other
