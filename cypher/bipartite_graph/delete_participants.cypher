// delete_participants — delete entities that take part in no fact, except those with another use
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (entity:Entity {corpus: $corpus, id: row.id})
REMOVE entity.type, entity.confidence
WITH entity
WHERE entity.df IS NULL AND NOT EXISTS { (entity)-[:!REFERS_TO]-() }
DETACH DELETE entity
