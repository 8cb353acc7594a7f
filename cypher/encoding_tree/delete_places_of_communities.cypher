// delete_places_of_communities — remove communities from those that contain them
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (:Community)-[place:CONTAINS]->(:Community {corpus: $corpus, id: row.id})
DELETE place
