// delete_sessions — delete every Session of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
CALL (session) { DETACH DELETE session } IN TRANSACTIONS OF 2000 ROWS
