// find_sessions_by_day — sessions by the day they began, the newest first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns day: STRING, sessions: INTEGER, questions: INTEGER, sufficient: FLOAT, steps: FLOAT
// Access  read
// Group   growth
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
WITH left(session.started, 10) AS day, session, COUNT { (session)-[:HAS_STEP]->() } AS steps
WITH day, count(session) AS sessions, count(DISTINCT session.question) AS questions,
     avg(CASE session.stopped WHEN 'sufficient' THEN 1.0 ELSE 0.0 END) AS sufficient, avg(steps) AS steps
RETURN day AS day, sessions AS sessions, questions AS questions, sufficient AS sufficient, steps AS steps
ORDER BY day DESC
LIMIT $limit
