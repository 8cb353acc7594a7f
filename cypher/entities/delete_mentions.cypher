// delete_mentions — delete mentions that the dictionary no longer finds
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})-[mention:MENTIONS]->(entity:Entity)
WHERE entity.id IN row.entities
DELETE mention
