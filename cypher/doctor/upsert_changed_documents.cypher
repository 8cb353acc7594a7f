// upsert_changed_documents — remove the hashes of documents whose chunks were changed, so that an ingest replaces them
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $ids AS wanted
MATCH (document:Document)-[:HAS_CHUNK]->(:Chunk {corpus: $corpus, id: wanted})
SET document.sha256 = ''
