// delete_documents — delete documents by id
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
DETACH DELETE document
