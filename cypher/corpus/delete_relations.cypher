// delete_relations — delete every Relation of a corpus with its relationships, in steps, to bound memory
// Params  $corpus: STRING
// Returns none
// Access  write
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
CALL (relation) { DETACH DELETE relation } IN TRANSACTIONS OF 2000 ROWS
