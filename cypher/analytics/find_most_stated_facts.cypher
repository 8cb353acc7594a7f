// find_most_stated_facts — the facts that most chunks state, with the documents they are in
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns relation: STRING, description: STRING, type: STRING, weight: INTEGER, confidence: FLOAT,
//         documents: LIST<STRING>
// Access  read
// Group   hubs
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
WITH relation ORDER BY relation.weight DESC, relation.confidence DESC, relation.id LIMIT $limit
RETURN relation.id AS relation, relation.description AS description, relation.type AS type,
       relation.weight AS weight, relation.confidence AS confidence,
       COLLECT {
         MATCH (relation)-[:STATED_IN]->(:Chunk)<-[:HAS_CHUNK]-(document:Document)
         RETURN DISTINCT document.id AS document ORDER BY document
       } AS documents
ORDER BY weight DESC, confidence DESC, relation
