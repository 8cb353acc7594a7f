// delete_merges — delete merges that no longer hold
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (:Alias {corpus: $corpus, id: row.alias})-[merge:ALIAS_OF {document: row.document}]->(entity:Entity)
WHERE entity.id = row.entity
DELETE merge
