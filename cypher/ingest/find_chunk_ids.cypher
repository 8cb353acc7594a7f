// find_chunk_ids — chunks of some documents
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, document: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document {corpus: $corpus, id: wanted})-[:HAS_CHUNK]->(chunk:Chunk)
RETURN chunk.id AS id, document.id AS document
ORDER BY document, id
