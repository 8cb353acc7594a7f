// delete_chunks — delete every Chunk of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
CALL (chunk) { DETACH DELETE chunk } IN TRANSACTIONS OF 200 ROWS
