// delete_relations — every Relation of a corpus with its relationships, in steps, so that memory does not grow
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
CALL (relation) { DETACH DELETE relation } IN TRANSACTIONS OF 2000 ROWS
