// find_shared_entities — what chunks of two communities name alike: in how many of both, times how little others do
// Params  $corpus: STRING, $first: STRING, $second: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, in_first: INTEGER, in_second: INTEGER, strength: FLOAT
// Access  read
// Group   bridges
// Plan    NodeUniqueIndexSeek
MATCH (:Community {corpus: $corpus, id: $first})-[:CONTAINS*]->(chunk:Chunk)-[:MENTIONS|DESCRIBES]->(entity:Entity)
WITH entity, count(DISTINCT chunk) AS in_first
MATCH (entity)<-[:MENTIONS|DESCRIBES]-(chunk:Chunk)<-[:CONTAINS*]-(:Community {corpus: $corpus, id: $second})
WITH entity, in_first, count(DISTINCT chunk) AS in_second
WITH entity, in_first, in_second, CASE WHEN in_first < in_second THEN in_first ELSE in_second END AS in_both,
     COUNT { MATCH (holder:Chunk)-[:MENTIONS|DESCRIBES]->(entity) RETURN DISTINCT holder } AS everywhere
RETURN entity.id AS id, entity.name AS name, in_first AS in_first, in_second AS in_second,
       in_both * toFloat(in_first + in_second) / everywhere AS strength
ORDER BY strength DESC, id
LIMIT $limit
