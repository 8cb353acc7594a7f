// delete_extractions — delete the extractions of removed chunks
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (extraction:Extraction {corpus: $corpus, id: row.id})
DETACH DELETE extraction
