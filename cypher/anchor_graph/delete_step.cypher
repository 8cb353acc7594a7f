// delete_step — a step that is made again, with all that it added; nobody else writes before the transaction ends
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
