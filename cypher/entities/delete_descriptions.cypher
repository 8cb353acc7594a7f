// delete_descriptions — descriptions that the titles no longer make
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (:Chunk {corpus: $corpus, id: row.chunk})-[description:DESCRIBES]->(:Entity {corpus: $corpus, id: row.entity})
DELETE description
