// upsert_documents — write documents with their metadata
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MERGE (document:Document {corpus: $corpus, id: row.id})
SET document = row.properties
SET document.corpus = $corpus, document.id = row.id
