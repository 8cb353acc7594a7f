// link_affinities — write affinities, one per pair of chunks; existing pairs take the new values
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Source  SeRAG (2026), eq. (3) to (6)
UNWIND $rows AS row
MATCH (first:Chunk {corpus: $corpus, id: row.first})
UNWIND row.pairs AS pair
MATCH (second:Chunk {corpus: $corpus, id: pair[0]})
MERGE (first)-[affinity:AFFINITY]->(second)
SET affinity.semantic = pair[1], affinity.logical = pair[2], affinity.distance = pair[3], affinity.weight = pair[4]
