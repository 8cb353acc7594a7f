// delete_affinities — delete AFFINITY relationships between given chunks
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (first:Chunk {corpus: $corpus, id: row.first})-[affinity:AFFINITY]->(second:Chunk)
WHERE second.id IN row.others
DELETE affinity
