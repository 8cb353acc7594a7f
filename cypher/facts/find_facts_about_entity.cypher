// find_facts_about_entity — facts in which an entity takes part, with participants and the places that state them
// Params  $corpus: STRING, $entity: STRING, $limit: INTEGER
// Returns relation: STRING, description: STRING, type: STRING, confidence: FLOAT, weight: INTEGER,
//         participants: LIST<LIST>, statements: LIST<LIST>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (:Entity {corpus: $corpus, id: $entity})-[:PARTICIPATES_IN]->(relation:Relation)
WITH relation ORDER BY relation.weight DESC, relation.confidence DESC, relation.id LIMIT $limit
RETURN relation.id AS relation, relation.description AS description, relation.type AS type,
       relation.confidence AS confidence, relation.weight AS weight,
       COLLECT {
         MATCH (other:Entity)-[participation:PARTICIPATES_IN]->(relation)
         RETURN [other.id, other.name, other.type, participation.role] ORDER BY other.id
       } AS participants,
       COLLECT {
         MATCH (relation)-[statement:STATED_IN]->(chunk:Chunk)
         RETURN [chunk.id, statement.start, statement.end] ORDER BY chunk.id
       } AS statements
ORDER BY weight DESC, confidence DESC, relation
