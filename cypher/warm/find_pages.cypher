// find_pages — the first of the made-up chunks, in order of id
// Params  $corpus: STRING
// Returns id: STRING, text: STRING
// Access  read
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id > ''
RETURN chunk.id AS id, chunk.text AS text
ORDER BY id
LIMIT 10
