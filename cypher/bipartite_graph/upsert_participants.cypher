// upsert_participants — write entities that take part in facts; the dictionary's name is not overwritten
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MERGE (entity:Entity {corpus: $corpus, id: row.id})
SET entity.name = CASE WHEN entity.df IS NULL THEN row.name ELSE entity.name END,
    entity.type = row.type, entity.confidence = row.confidence
