// delete_aliases — names that mean no entity any more; one that somebody keeps apart from an entity stays
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (alias:Alias {corpus: $corpus, id: row.id})
WHERE NOT EXISTS { (alias)--() }
DELETE alias
