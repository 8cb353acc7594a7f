// find_insufficient_questions — the questions whose search ended without evidence enough: why, and the last thought
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, question: STRING, stopped: STRING, steps: INTEGER, thought: STRING
// Access  read
// Group   evidence
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL AND session.stopped <> 'sufficient'
OPTIONAL MATCH (session)-[:HAS_STEP]->(step:Step)
WITH session, step ORDER BY session.id, step.number
WITH session, count(step) AS steps, collect(step.thought)[-1] AS thought
ORDER BY session.started DESC, session.id LIMIT $limit
RETURN session.id AS id, session.question AS question, session.stopped AS stopped, steps AS steps, thought AS thought
ORDER BY session.started DESC, id
