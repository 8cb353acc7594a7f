// delete_steps — delete steps without a session, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (step:Step)
WHERE step.corpus = $corpus AND step.id IS NOT NULL AND NOT EXISTS { (step)<-[:HAS_STEP]-() }
CALL (step) { DETACH DELETE step } IN TRANSACTIONS OF 2000 ROWS
