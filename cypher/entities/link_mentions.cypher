// link_mentions — link chunks to the entities that their texts name, with the number of mentions
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})
UNWIND row.entities AS named
MATCH (entity:Entity {corpus: $corpus, id: named[0]})
MERGE (chunk)-[mention:MENTIONS]->(entity)
SET mention.count = named[1]
