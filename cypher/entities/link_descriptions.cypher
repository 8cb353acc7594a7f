// link_descriptions — chunks to the entities that their titles name
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})
MATCH (entity:Entity {corpus: $corpus, id: row.entity})
MERGE (chunk)-[:DESCRIBES]->(entity)
