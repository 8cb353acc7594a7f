// delete_entities — delete entities that left the dictionary; one that another graph uses stays, without a frequency
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (entity:Entity {corpus: $corpus, id: row.id})
REMOVE entity.df, entity.titles, entity.small
WITH entity
WHERE NOT EXISTS { (entity)-[:!REFERS_TO]-() }
DETACH DELETE entity
