// delete_steps — delete every Step of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (step:Step)
WHERE step.corpus = $corpus AND step.id IS NOT NULL
CALL (step) { DETACH DELETE step } IN TRANSACTIONS OF 2000 ROWS
