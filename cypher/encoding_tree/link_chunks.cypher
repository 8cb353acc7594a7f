// link_chunks — the chunks that each community of the lowest level holds
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (community:Community {corpus: $corpus, id: row.parent})
UNWIND row.children AS child
MATCH (chunk:Chunk {corpus: $corpus, id: child})
MERGE (community)-[:CONTAINS]->(chunk)
