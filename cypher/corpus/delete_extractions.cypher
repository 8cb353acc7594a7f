// delete_extractions — every Extraction of a corpus with its relationships, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (extraction:Extraction)
WHERE extraction.corpus = $corpus AND extraction.id IS NOT NULL
CALL (extraction) { DETACH DELETE extraction } IN TRANSACTIONS OF 2000 ROWS
