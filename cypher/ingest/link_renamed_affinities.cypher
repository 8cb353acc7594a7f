// link_renamed_affinities — turn the affinities of renamed chunks: they lead from the smaller id to the larger
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $ids AS wanted
MATCH (chunk:Chunk {corpus: $corpus, id: wanted})
MATCH (chunk)-[affinity:AFFINITY]-(:Chunk)
WITH DISTINCT affinity, startNode(affinity) AS larger, endNode(affinity) AS smaller
WHERE larger.id > smaller.id
MERGE (smaller)-[turned:AFFINITY]->(larger)
SET turned = properties(affinity)
DELETE affinity
