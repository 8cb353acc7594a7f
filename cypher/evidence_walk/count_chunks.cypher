// count_chunks — how many chunks some documents have
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, chunks: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})
RETURN document.id AS id, COUNT { (document)-[:HAS_CHUNK]->() } AS chunks
ORDER BY id
