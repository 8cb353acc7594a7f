// delete_sessions — every Session of a corpus with its relationships, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
CALL (session) { DETACH DELETE session } IN TRANSACTIONS OF 2000 ROWS
