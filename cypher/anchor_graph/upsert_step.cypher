// upsert_step — write a step of a session
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $step: STRING, $properties: MAP
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (session:Session {corpus: $corpus, id: $session})
WHERE session.owner = $owner
CREATE (session)-[:HAS_STEP]->(step:Step {corpus: $corpus, id: $step})
SET step += $properties
