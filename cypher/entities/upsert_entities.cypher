// upsert_entities — create entities of the dictionary, or update their names, frequencies and use in small letters
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MERGE (entity:Entity {corpus: $corpus, id: row.id})
SET entity.name = row.name, entity.df = row.df, entity.titles = row.titles, entity.small = row.small
