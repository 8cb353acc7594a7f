// delete_step — delete a step before it is repeated, with all that it added; locks the session for the transaction
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $step: STRING, $number: INTEGER
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (session:Session {corpus: $corpus, id: $session})
SET session.locked = true
REMOVE session.locked
WITH session
WHERE session.owner = $owner
MATCH (session)-[:HAS_STEP]->(step:Step)
WHERE step.id = $step
CALL (session) {
  MATCH (session)-[:HAS_STEP]->(:Step)-[:ADDED]->(anchor:Anchor)
  WITH DISTINCT anchor
  MATCH (anchor)-[link:ANCHORED|SEEN_IN {step: $number}]->()
  DELETE link
}
CALL (step) {
  MATCH (step)-[added:ADDED]->(anchor:Anchor)
  SET anchor.attributes = anchor.attributes[..size(anchor.attributes) - size(added.attributes)]
  DELETE added
  WITH anchor
  WHERE anchor.step = $number
  DETACH DELETE anchor
}
DETACH DELETE step
