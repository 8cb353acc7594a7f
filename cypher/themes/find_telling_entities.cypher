// find_telling_entities — the entities that tell a community from the rest: named in much of it, and little elsewhere
// Params  $corpus: STRING, $community: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, chunks: INTEGER, everywhere: INTEGER, strength: FLOAT
// Access  read
// Group   coverage
// Plan    NodeUniqueIndexSeek
WITH COUNT { MATCH (every:Chunk) WHERE every.corpus = $corpus AND every.id IS NOT NULL } AS size
MATCH (theme:Community {corpus: $corpus, id: $community})-[:CONTAINS*]->(chunk:Chunk)
MATCH (chunk)-[:MENTIONS|DESCRIBES]->(entity:Entity)
WITH size, theme, entity, count(DISTINCT chunk) AS chunks
WITH entity, chunks, toFloat(chunks) / theme.size AS inside, size,
     COUNT { MATCH (holder:Chunk)-[:MENTIONS|DESCRIBES]->(entity) RETURN DISTINCT holder } AS everywhere
RETURN entity.id AS id, entity.name AS name, chunks AS chunks, everywhere AS everywhere,
       round(inside * log(inside * size / everywhere), 9) AS strength
ORDER BY strength DESC, id
LIMIT $limit
