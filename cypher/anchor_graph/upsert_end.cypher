// upsert_end — end a session: the reason, the answer, which its last step also gets, a reward; removes the owner
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $stopped: STRING, $answer: STRING, $reward: FLOAT
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (session:Session {corpus: $corpus, id: $session})
SET session.locked = true
REMOVE session.locked
WITH session
WHERE session.owner = $owner
SET session.status = 'ended', session.stopped = $stopped, session.answer = $answer,
    session.reward = $reward
REMOVE session.owner
WITH session
MATCH (session)-[:HAS_STEP]->(step:Step)
WITH session, max(step.number) AS last,
     max(CASE WHEN step.question <> session.question THEN step.number ELSE 0 END) AS earlier
MATCH (session)-[:HAS_STEP]->(step:Step)
WHERE step.number > earlier // what was asked before another question keeps its answer
SET step.answer = CASE WHEN step.number = last THEN $answer END
