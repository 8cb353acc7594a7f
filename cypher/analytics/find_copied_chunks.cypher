// find_copied_chunks — texts that several chunks have word for word, most copies first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns text: STRING, copies: INTEGER, documents: LIST<STRING>, chunks: LIST<STRING>
// Access  read
// Group   redundancy
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
WITH chunk ORDER BY chunk.id
WITH chunk.sha256 AS hash, collect(chunk) AS chunks
WHERE size(chunks) > 1
WITH chunks ORDER BY size(chunks) DESC, chunks[0].id LIMIT $limit
RETURN left(chunks[0].text, 120) AS text, size(chunks) AS copies,
       COLLECT {
         UNWIND chunks AS copy
         MATCH (copy)<-[:HAS_CHUNK]-(document:Document)
         RETURN DISTINCT document.id AS document ORDER BY document
       } AS documents,
       [copy IN chunks | copy.id] AS chunks
ORDER BY copies DESC, chunks
