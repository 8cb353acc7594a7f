// find_latest_sessions — lists the searches in several steps, newest first, with their place for the drawing
// Params  $corpus: STRING, $limit: INTEGER
// Returns place: INTEGER, question: STRING, answer: STRING, stopped: STRING, steps: INTEGER, anchors: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
WITH session ORDER BY session.started DESC, session.id LIMIT $limit
WITH collect(session) AS found
UNWIND range(0, size(found) - 1) AS number
WITH number, found[number] AS session
RETURN number + 1 AS place, session.question AS question, session.answer AS answer, session.stopped AS stopped,
       COUNT { (session)-[:HAS_STEP]->(:Step) } AS steps,
       COUNT { MATCH (session)-[:HAS_STEP]->(:Step)-[:ADDED]->(anchor:Anchor) RETURN DISTINCT anchor } AS anchors
ORDER BY place
