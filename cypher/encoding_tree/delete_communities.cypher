// delete_communities — delete empty communities
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (community:Community {corpus: $corpus, id: row.id})
DETACH DELETE community
