// find_session_nodes — ids of the sessions that are not being written, and of their steps and anchors
// Params  $corpus: STRING
// Returns id: STRING, is_session: BOOLEAN
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL AND session.owner IS NULL
RETURN session.id AS id, true AS is_session
ORDER BY id
UNION ALL
MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL AND session.owner IS NULL
MATCH (session)-[:HAS_STEP]->(step:Step)
RETURN step.id AS id, false AS is_session
ORDER BY id
UNION ALL
MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL AND session.owner IS NULL
MATCH (session)-[:HAS_STEP]->(:Step)-[:ADDED]->(anchor:Anchor)
RETURN DISTINCT anchor.id AS id, false AS is_session
ORDER BY id
