// delete_anchors — delete anchors that no step added, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (anchor:Anchor)
WHERE anchor.corpus = $corpus AND anchor.id IS NOT NULL AND NOT EXISTS { (anchor)<-[:ADDED]-() }
CALL (anchor) { DETACH DELETE anchor } IN TRANSACTIONS OF 2000 ROWS
