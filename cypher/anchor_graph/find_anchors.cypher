// find_anchors — the anchors of a session, the attributes that each step added, and the chunks in which it saw them
// Params  $corpus: STRING, $session: STRING
// Returns key: STRING, name: STRING, position: INTEGER, step: INTEGER, entity: STRING, added: LIST<LIST>,
//         seen: LIST<LIST>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (:Session {corpus: $corpus, id: $session})-[:HAS_STEP]->(:Step)-[:ADDED]->(anchor:Anchor)
WITH DISTINCT anchor
OPTIONAL MATCH (anchor)-[:REFERS_TO]->(entity:Entity)
RETURN anchor.key AS key, anchor.name AS name, anchor.position AS position, anchor.step AS step, entity.id AS entity,
       COLLECT {
         MATCH (step:Step)-[added:ADDED]->(anchor)
         RETURN [step.number, added.attributes] AS one ORDER BY one[0]
       } AS added,
       COLLECT {
         MATCH (anchor)-[seen:SEEN_IN]->(chunk:Chunk)
         RETURN [seen.step, chunk.id] AS one ORDER BY seen.position, one[1]
       } AS seen
ORDER BY position, key
