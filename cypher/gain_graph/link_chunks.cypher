// link_chunks — write INFO_GAIN edges; existing ones take the new values
// Params  $corpus: STRING, $rows: LIST<MAP>, $judge: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.source})
UNWIND row.edges AS edge
MATCH (target:Chunk {corpus: $corpus, id: edge[0]})
MERGE (source)-[gain:INFO_GAIN]->(target)
SET gain.gain = edge[1], gain.level = edge[2], gain.candidate = edge[3], gain.judge = $judge
