// link_anchors — link anchors by the relations that a step added
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (session:Session {corpus: $corpus, id: $session})
WHERE session.owner = $owner
UNWIND $rows AS row
MATCH (source:Anchor {corpus: $corpus, id: row.source})
MATCH (target:Anchor {corpus: $corpus, id: row.target})
CREATE (source)-[:ANCHORED {phrase: row.phrase, step: row.step, position: row.position}]->(target)
