// delete_relations — delete facts that no chunk states
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (relation:Relation {corpus: $corpus, id: row.id})
DETACH DELETE relation
