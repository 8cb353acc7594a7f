// link_entities — link anchors to the corpus' entities of the same names
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (session:Session {corpus: $corpus, id: $session})
WHERE session.owner = $owner
UNWIND $rows AS row
MATCH (anchor:Anchor {corpus: $corpus, id: row.id})
MATCH (entity:Entity {corpus: $corpus, id: row.entity})
CREATE (anchor)-[:REFERS_TO]->(entity)
