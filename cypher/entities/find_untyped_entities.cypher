// find_untyped_entities — a page of entities without a type, each with a chunk that names it, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, name: STRING, text: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id > $after AND entity.type IS NULL
      AND EXISTS { (entity)<-[:MENTIONS|DESCRIBES]-(:Chunk) }
WITH entity ORDER BY entity.corpus, entity.id LIMIT $limit
CALL (entity) {
  MATCH (entity)<-[:MENTIONS|DESCRIBES]-(chunk:Chunk)
  RETURN chunk.text AS text ORDER BY chunk.id LIMIT 1
}
RETURN entity.id AS id, entity.name AS name, text AS text
ORDER BY id
