// link_chunks — link anchors to the chunks in which a step saw them
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (session:Session {corpus: $corpus, id: $session})
WHERE session.owner = $owner
UNWIND $rows AS row
MATCH (anchor:Anchor {corpus: $corpus, id: row.id})
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})
CREATE (anchor)-[:SEEN_IN {step: row.step, position: row.position}]->(chunk)
