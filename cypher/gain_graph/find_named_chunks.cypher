// find_named_chunks — entities by id, with the chunks that describe each, otherwise with those that mention it, if few
// Params  $corpus: STRING, $ids: LIST<STRING>, $most: INTEGER
// Returns entity: STRING, holders: INTEGER, named: LIST<STRING>
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
RETURN entity.id AS entity, describing + mentioning AS holders, named AS named
ORDER BY entity
