// link_mentions — chunks to the entities that their texts name, with how often
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})
MATCH (entity:Entity {corpus: $corpus, id: row.entity})
MERGE (chunk)-[mention:MENTIONS]->(entity)
SET mention.count = row.count
