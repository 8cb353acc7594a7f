// upsert_anchors — write the anchors that a step added or extended; ADDED has the attributes that it added
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $step: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct, Eager
MATCH (session:Session {corpus: $corpus, id: $session})
WHERE session.owner = $owner
UNWIND $rows AS row
MATCH (step:Step {corpus: $corpus, id: $step})
MERGE (anchor:Anchor {corpus: $corpus, id: row.id})
SET anchor += row.properties
CREATE (step)-[:ADDED {attributes: row.added}]->(anchor)
