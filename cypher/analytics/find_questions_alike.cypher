// find_questions_alike — sessions that found the same chunks for different questions
// Params  $corpus: STRING, $rank: INTEGER = 5, $limit: INTEGER = 20
// Returns first: STRING, first_question: STRING, second: STRING, second_question: STRING, shared: INTEGER,
//         share: FLOAT
// Access  read
// Group   evidence
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
MATCH (session)-[:HAS_STEP]->()-[here:RETRIEVED]->(chunk)<-[there:RETRIEVED]-()<-[:HAS_STEP]-(other)
WHERE here.rank <= $rank AND there.rank <= $rank
  AND session.id < other.id AND session.question <> other.question
WITH session, other, count(DISTINCT chunk) AS shared
WITH session, other, shared, COUNT {
       UNWIND [session, other] AS one
       MATCH (one)-[:HAS_STEP]->()-[found:RETRIEVED]->(chunk)
       WHERE found.rank <= $rank
       RETURN DISTINCT chunk
     } AS together
RETURN session.id AS first, session.question AS first_question, other.id AS second,
       other.question AS second_question, shared AS shared, toFloat(shared) / together AS share
ORDER BY share DESC, shared DESC, first, second
LIMIT $limit
