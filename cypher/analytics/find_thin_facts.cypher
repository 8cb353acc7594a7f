// find_thin_facts — facts with fewer than two participants beside the document's topic
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns relation: STRING, description: STRING, type: STRING, confidence: FLOAT, participants: LIST<STRING>
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL AND COUNT {
        (relation)<-[part:PARTICIPATES_IN]-() WHERE part.role <> 'topic'
      } < 2
WITH relation ORDER BY relation.confidence, relation.id LIMIT $limit
RETURN relation.id AS relation, relation.description AS description, relation.type AS type,
       relation.confidence AS confidence,
       COLLECT {
         MATCH (relation)<-[part:PARTICIPATES_IN]-(entity:Entity)
         RETURN part.role + ' ' + entity.name AS participant ORDER BY participant, entity.id
       } AS participants
ORDER BY confidence, relation
