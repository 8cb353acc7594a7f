// delete_descriptions — delete DESCRIBES relationships that the titles no longer yield
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})-[description:DESCRIBES]->(entity:Entity)
WHERE entity.id IN row.entities
DELETE description
