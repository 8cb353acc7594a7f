// upsert_question — begin a follow-up question in an ended session, from its graph and steps
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $question: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (session:Session {corpus: $corpus, id: $session})
SET session.locked = true
REMOVE session.locked
WITH session
WHERE session.status = 'ended'
SET session.status = 'running', session.question = $question, session.owner = $owner
REMOVE session.stopped, session.answer
