// find_hashes — a page of chunks with the stored hash of their text, in order of id, as columns
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns ids: LIST<STRING>, texts: LIST<STRING>, last: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id > $after
WITH chunk ORDER BY chunk.corpus, chunk.id LIMIT $limit
WITH collect(chunk.id) AS ids, collect(coalesce(chunk.sha256, '')) AS texts
WHERE size(ids) > 0
RETURN ids AS ids, texts AS texts, ids[-1] AS last
ORDER BY last
