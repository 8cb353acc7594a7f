// find_unsure_facts — the facts that extraction is least sure of, with the chunk that states them
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns relation: STRING, description: STRING, type: STRING, confidence: FLOAT, chunk: STRING,
//         title: STRING
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
WITH relation ORDER BY relation.confidence, relation.id LIMIT $limit
WITH relation, COLLECT {
       MATCH (relation)-[:STATED_IN]->(chunk:Chunk) RETURN chunk ORDER BY chunk.id LIMIT 1
     }[0] AS chunk
RETURN relation.id AS relation, relation.description AS description, relation.type AS type,
       relation.confidence AS confidence, chunk.id AS chunk, chunk.title AS title
ORDER BY confidence, relation
