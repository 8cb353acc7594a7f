// upsert_entity_types — what kind of thing each entity is; the empty text where nobody can tell
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (entity:Entity {corpus: $corpus, id: row.id})
SET entity.type = row.type
