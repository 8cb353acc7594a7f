// find_links — a page of a corpus' chunks with the entities they mention and describe, in order of chunk id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns chunk: STRING, mentions: LIST<STRING>, describes: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id > $after
WITH chunk ORDER BY chunk.id LIMIT $limit
RETURN chunk.id AS chunk,
       COLLECT { MATCH (chunk)-[:MENTIONS]->(entity:Entity) RETURN entity.id ORDER BY entity.id } AS mentions,
       COLLECT { MATCH (chunk)-[:DESCRIBES]->(entity:Entity) RETURN entity.id ORDER BY entity.id } AS describes
ORDER BY chunk
