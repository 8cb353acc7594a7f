// find_pages — the first of the made-up chunks, in order of id
// Params  $corpus: STRING
// Returns id: STRING, text: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk {corpus: $corpus})-[:NEXT]->(:Chunk)
RETURN chunk.id AS id, chunk.text AS text
ORDER BY id
LIMIT 10
