// upsert_chunks — write chunks below their documents, each linked to the next
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (document:Document {corpus: $corpus, id: row.document_id})
MERGE (chunk:Chunk {corpus: $corpus, id: row.id})
SET chunk.text = row.text, chunk.title = row.title, chunk.position = row.position, chunk.start = row.start,
    chunk.end = row.end, chunk.tokens = row.tokens, chunk.page = row.page, chunk.location = row.location,
    chunk.section = row.section, chunk.sha256 = row.sha256
MERGE (document)-[has:HAS_CHUNK]->(chunk)
SET has.position = row.position
WITH row, chunk
WHERE row.previous IS NOT NULL
MATCH (previous:Chunk {corpus: $corpus, id: row.previous})
MERGE (previous)-[next:NEXT]->(chunk)
SET next.position = row.position
