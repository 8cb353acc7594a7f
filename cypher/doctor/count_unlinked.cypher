// count_unlinked — number of chunks without the link to the next chunk of their document
// Params  $corpus: STRING
// Returns chunks: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)-[:HAS_CHUNK]->(chunk:Chunk)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
  AND chunk.position < document.chunks - 1 AND NOT EXISTS { (chunk)-[:NEXT]->() }
  AND COUNT { (document)-[:HAS_CHUNK]->() } = document.chunks
RETURN count(*) AS chunks
