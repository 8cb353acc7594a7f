// delete_sessions — delete sessions with their steps and anchors
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $ids AS wanted
MATCH (session:Session {corpus: $corpus, id: wanted})
OPTIONAL MATCH (session)-[:HAS_STEP]->(step:Step)
OPTIONAL MATCH (step)-[:ADDED]->(anchor:Anchor)
DETACH DELETE anchor, step, session
