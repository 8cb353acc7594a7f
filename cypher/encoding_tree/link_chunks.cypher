// link_chunks — link the communities of the lowest level to their chunks
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
UNWIND $rows AS row
MATCH (community:Community {corpus: $corpus, id: row.parent})
MATCH (chunk:Chunk {corpus: $corpus, id: row.id})
MERGE (community)-[:CONTAINS]->(chunk)
