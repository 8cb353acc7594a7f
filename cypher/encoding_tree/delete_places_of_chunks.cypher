// delete_places_of_chunks — remove chunks from the communities that contain them
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (:Community)-[place:CONTAINS]->(:Chunk {corpus: $corpus, id: row.id})
DELETE place
