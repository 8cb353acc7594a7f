// delete_aliases — delete aliases of no entity, except those that are kept apart from one
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (alias:Alias {corpus: $corpus, id: row.id})
WHERE NOT EXISTS { (alias)--() }
DELETE alias
