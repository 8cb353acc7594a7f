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
WITH session, max(step.number) AS last
MATCH (session)-[:HAS_STEP]->(step:Step)
WHERE step.question = session.question
SET step.answer = CASE WHEN step.number = last THEN $answer END
