// find_anchored — the relations between the anchors of a session, in the order in which they were added
// Params  $corpus: STRING, $session: STRING
// Returns source: STRING, phrase: STRING, target: STRING, step: INTEGER, position: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (:Session {corpus: $corpus, id: $session})-[:HAS_STEP]->(:Step)-[:ADDED]->(anchor:Anchor)
WITH DISTINCT anchor
MATCH (anchor)-[relation:ANCHORED]->(target:Anchor)
RETURN anchor.key AS source, relation.phrase AS phrase, target.key AS target, relation.step AS step,
       relation.position AS position
ORDER BY position, source, target, phrase
