// find_named_chunks — entities by id, each with the chunks that describe it, else the few that mention it
// Params  $corpus: STRING, $ids: LIST<STRING>, $most: INTEGER
// Returns entity: STRING, holders: INTEGER, chunks: INTEGER, named: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS id
MATCH (entity:Entity {corpus: $corpus, id: id})
WITH entity, COUNT { (entity)<-[:DESCRIBES]-() } AS describing, COUNT { (entity)<-[:MENTIONS]-() } AS mentioning
WITH entity, describing, mentioning WHERE describing + mentioning > 0
WITH entity, describing, mentioning,
     CASE
       WHEN describing > 0 THEN
         COLLECT { MATCH (entity)<-[:DESCRIBES]-(chunk:Chunk) RETURN chunk.id ORDER BY chunk.id }
       WHEN mentioning <= $most THEN
         COLLECT { MATCH (entity)<-[:MENTIONS]-(chunk:Chunk) RETURN chunk.id ORDER BY chunk.id }
       ELSE []
     END AS named
WITH collect({id: entity.id, holders: describing + mentioning, named: named}) AS found
WITH found, COUNT { MATCH (chunk:Chunk) WHERE chunk.corpus = $corpus AND chunk.id >= '' } AS chunks
UNWIND found AS entity
RETURN entity.id AS entity, entity.holders AS holders, chunks AS chunks, entity.named AS named
ORDER BY entity
