// find_lengths — a page of chunks with their numbers of terms, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, terms: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id > $after
WITH chunk ORDER BY chunk.corpus, chunk.id LIMIT $limit
RETURN chunk.id AS id, chunk.terms AS terms
ORDER BY id
