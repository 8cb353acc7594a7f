// find_chunk_places — chunks of some documents with their places in them; unknown documents are left out
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, document_id: STRING, start: INTEGER, end: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})-[:HAS_CHUNK]->(chunk:Chunk)
RETURN chunk.id AS id, document.id AS document_id, chunk.start AS start, chunk.end AS end
ORDER BY id
