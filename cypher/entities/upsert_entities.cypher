// upsert_entities — make entities of the dictionary, or bring their name and document frequency up to date
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MERGE (entity:Entity {corpus: $corpus, id: row.id})
SET entity.name = row.name, entity.df = row.df
