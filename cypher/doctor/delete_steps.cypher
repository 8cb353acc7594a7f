// delete_steps — steps of no session, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (step:Step)
WHERE step.corpus = $corpus AND step.id IS NOT NULL AND NOT EXISTS { (step)<-[:HAS_STEP]-() }
CALL (step) { DETACH DELETE step } IN TRANSACTIONS OF 2000 ROWS
