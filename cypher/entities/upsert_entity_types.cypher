// upsert_entity_types — write the types of entities; empty where the type is unknown
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (entity:Entity {corpus: $corpus, id: row.id})
SET entity.type = row.type
