// find_entities_of_chunks — a page of chunks with the entities they mention and describe, in order of chunk id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, mentioned: LIST<STRING>, counts: LIST<INTEGER>, described: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id > $after
WITH chunk ORDER BY chunk.corpus, chunk.id LIMIT $limit
CALL (chunk) {
  OPTIONAL MATCH (chunk)-[mention:MENTIONS]->(entity:Entity)
  RETURN collect(entity.id) AS mentioned, collect(mention.count) AS counts
}
CALL (chunk) {
  OPTIONAL MATCH (chunk)-[:DESCRIBES]->(entity:Entity)
  RETURN collect(entity.id) AS described
}
RETURN chunk.id AS id, mentioned AS mentioned, counts AS counts, described AS described
ORDER BY id
