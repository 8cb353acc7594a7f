// delete_mentions — mentions that the dictionary no longer finds
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (:Chunk {corpus: $corpus, id: row.chunk})-[mention:MENTIONS]->(:Entity {corpus: $corpus, id: row.entity})
DELETE mention
