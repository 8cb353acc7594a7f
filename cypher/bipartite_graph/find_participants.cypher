// find_participants — a page of entities that take part in facts, by id; no name where the dictionary has one
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, name: STRING, type: STRING, confidence: FLOAT
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id > $after AND entity.confidence IS NOT NULL
WITH entity ORDER BY entity.corpus, entity.id LIMIT $limit
RETURN entity.id AS id, CASE WHEN entity.df IS NULL THEN entity.name END AS name, entity.type AS type,
       entity.confidence AS confidence
ORDER BY id
