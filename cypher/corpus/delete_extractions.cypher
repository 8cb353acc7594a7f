// delete_extractions — delete every Extraction of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (extraction:Extraction)
WHERE extraction.corpus = $corpus AND extraction.id IS NOT NULL
CALL (extraction) { DETACH DELETE extraction } IN TRANSACTIONS OF 2000 ROWS
