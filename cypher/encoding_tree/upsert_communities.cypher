// upsert_communities — create communities, or update their names and measures
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Source  SeRAG (2026), eq. (1) and (7)
// Allows  Eager
UNWIND $rows AS row
MERGE (community:Community {corpus: $corpus, id: row.id})
SET community += row.properties
