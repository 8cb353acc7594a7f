// find_entities_reached — the entities that questions keep reaching: those that anchors of many questions refer to
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, questions: INTEGER, sessions: INTEGER
// Access  read
// Group   evidence
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id IS NOT NULL
MATCH (session)-[:HAS_STEP]->(step:Step)-[:ADDED]->(:Anchor)-[:REFERS_TO]->(entity:Entity)
WITH entity, count(DISTINCT step.question) AS questions, count(DISTINCT session) AS sessions
RETURN entity.id AS id, entity.name AS name, questions AS questions, sessions AS sessions
ORDER BY questions DESC, sessions DESC, id
LIMIT $limit
