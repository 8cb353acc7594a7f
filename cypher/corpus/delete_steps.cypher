// delete_steps — every Step of a corpus with its relationships, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (step:Step)
WHERE step.corpus = $corpus AND step.id IS NOT NULL
CALL (step) { DETACH DELETE step } IN TRANSACTIONS OF 2000 ROWS
