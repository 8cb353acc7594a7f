// find_session_nodes — labels and ids of all sessions, of their steps and of their anchors
// Params  $corpus: STRING
// Returns label: STRING, id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (anchor:Anchor) WHERE anchor.corpus = $corpus AND anchor.id IS NOT NULL
RETURN 'Anchor' AS label, anchor.id AS id
ORDER BY anchor.corpus, id
UNION ALL
MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL
RETURN 'Session' AS label, session.id AS id
ORDER BY session.corpus, id
UNION ALL
MATCH (step:Step) WHERE step.corpus = $corpus AND step.id IS NOT NULL
RETURN 'Step' AS label, step.id AS id
ORDER BY step.corpus, id
