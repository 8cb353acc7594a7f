// find_relations — a page of facts with their participants and the chunks that state them, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, description: STRING, type: STRING, confidence: FLOAT, weight: INTEGER,
//         participants: LIST<LIST>, statements: LIST<LIST>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id > $after
WITH relation ORDER BY relation.corpus, relation.id LIMIT $limit
RETURN relation.id AS id, relation.description AS description, relation.type AS type,
       relation.confidence AS confidence, relation.weight AS weight,
       COLLECT {
         MATCH (entity:Entity)-[participation:PARTICIPATES_IN]->(relation)
         RETURN [entity.id, participation.role, participation.confidence] AS one ORDER BY one[0]
       } AS participants,
       COLLECT {
         MATCH (relation)-[statement:STATED_IN]->(chunk:Chunk)
         RETURN [chunk.id, statement.start, statement.end] AS one ORDER BY one[0]
       } AS statements
ORDER BY id
