// delete_terms — delete terms that no chunk contains any more
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (term:Term {corpus: $corpus, id: row.id})
DETACH DELETE term
