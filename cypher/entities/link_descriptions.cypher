// link_descriptions — link chunks to the entities that their titles name
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})
UNWIND row.entities AS described
MATCH (entity:Entity {corpus: $corpus, id: described})
MERGE (chunk)-[:DESCRIBES]->(entity)
