// delete_edges — delete INFO_GAIN edges between given chunks
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.source})-[gain:INFO_GAIN]->(target:Chunk)
WHERE target.id IN row.targets
DELETE gain
