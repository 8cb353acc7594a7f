// find_session_nodes — ids of all sessions, of their steps and anchors, each with the process that may write to it
// Params  $corpus: STRING
// Returns id: STRING, is_session: BOOLEAN, owner: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL
RETURN session.id AS id, true AS is_session, session.owner AS owner
ORDER BY id
UNION ALL
MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL
MATCH (session)-[:HAS_STEP]->(step:Step)
RETURN step.id AS id, false AS is_session, session.owner AS owner
ORDER BY id
UNION ALL
MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL
MATCH (session)-[:HAS_STEP]->(:Step)-[:ADDED]->(anchor:Anchor)
RETURN DISTINCT anchor.id AS id, false AS is_session, session.owner AS owner
ORDER BY id
