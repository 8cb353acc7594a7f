// delete_anchors — delete every Anchor of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (anchor:Anchor)
WHERE anchor.corpus = $corpus AND anchor.id IS NOT NULL
CALL (anchor) { DETACH DELETE anchor } IN TRANSACTIONS OF 2000 ROWS
