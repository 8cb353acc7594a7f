// find_relationships — all relationships of the public schema, by type and both ends, those of one start in one row
// Params  $corpus: STRING
// Returns type: STRING, start_label: STRING, start_id: STRING, end_label: STRING, ends: LIST<MAP>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (source:Step)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:ADDED]->(:Anchor) }
RETURN 'ADDED' AS type, 'Step' AS start_label, source.id AS start_id, 'Anchor' AS end_label, COLLECT {
  MATCH (source)-[link:ADDED]->(target:Anchor) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Chunk)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:AFFINITY]->(:Chunk) }
RETURN 'AFFINITY' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Chunk' AS end_label, COLLECT {
  MATCH (source)-[link:AFFINITY]->(target:Chunk) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Alias)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:ALIAS_OF]->(:Entity) }
RETURN 'ALIAS_OF' AS type, 'Alias' AS start_label, source.id AS start_id, 'Entity' AS end_label, COLLECT {
  MATCH (source)-[link:ALIAS_OF]->(target:Entity) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id, link.document
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Anchor)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:ANCHORED]->(:Anchor) }
RETURN 'ANCHORED' AS type, 'Anchor' AS start_label, source.id AS start_id, 'Anchor' AS end_label, COLLECT {
  MATCH (source)-[link:ANCHORED]->(target:Anchor) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id, link.position
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Community)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:CONTAINS]->(:Chunk) }
RETURN 'CONTAINS' AS type, 'Community' AS start_label, source.id AS start_id, 'Chunk' AS end_label, COLLECT {
  MATCH (source)-[link:CONTAINS]->(target:Chunk) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Community)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:CONTAINS]->(:Community) }
RETURN 'CONTAINS' AS type, 'Community' AS start_label, source.id AS start_id, 'Community' AS end_label, COLLECT {
  MATCH (source)-[link:CONTAINS]->(target:Community) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:EncodingTree)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:CONTAINS]->(:Community) }
RETURN 'CONTAINS' AS type, 'EncodingTree' AS start_label, source.id AS start_id, 'Community' AS end_label, COLLECT {
  MATCH (source)-[link:CONTAINS]->(target:Community) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Chunk)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:DESCRIBES]->(:Entity) }
RETURN 'DESCRIBES' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Entity' AS end_label, COLLECT {
  MATCH (source)-[link:DESCRIBES]->(target:Entity) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Session)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:FORKED_FROM]->(:Session) }
RETURN 'FORKED_FROM' AS type, 'Session' AS start_label, source.id AS start_id, 'Session' AS end_label, COLLECT {
  MATCH (source)-[link:FORKED_FROM]->(target:Session) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Step)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:FOUND]->(:Relation) }
RETURN 'FOUND' AS type, 'Step' AS start_label, source.id AS start_id, 'Relation' AS end_label, COLLECT {
  MATCH (source)-[link:FOUND]->(target:Relation) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Document)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:HAS_CHUNK]->(:Chunk) }
RETURN 'HAS_CHUNK' AS type, 'Document' AS start_label, source.id AS start_id, 'Chunk' AS end_label, COLLECT {
  MATCH (source)-[link:HAS_CHUNK]->(target:Chunk) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Session)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:HAS_STEP]->(:Step) }
RETURN 'HAS_STEP' AS type, 'Session' AS start_label, source.id AS start_id, 'Step' AS end_label, COLLECT {
  MATCH (source)-[link:HAS_STEP]->(target:Step) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Chunk)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:INFO_GAIN]->(:Chunk) }
RETURN 'INFO_GAIN' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Chunk' AS end_label, COLLECT {
  MATCH (source)-[link:INFO_GAIN]->(target:Chunk) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Alias)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:KEPT_APART]->(:Entity) }
RETURN 'KEPT_APART' AS type, 'Alias' AS start_label, source.id AS start_id, 'Entity' AS end_label, COLLECT {
  MATCH (source)-[link:KEPT_APART]->(target:Entity) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Chunk)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:MENTIONS]->(:Entity) }
RETURN 'MENTIONS' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Entity' AS end_label, COLLECT {
  MATCH (source)-[link:MENTIONS]->(target:Entity) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Chunk)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:NEXT]->(:Chunk) }
RETURN 'NEXT' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Chunk' AS end_label, COLLECT {
  MATCH (source)-[link:NEXT]->(target:Chunk) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Entity)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:PARTICIPATES_IN]->(:Relation) }
RETURN 'PARTICIPATES_IN' AS type, 'Entity' AS start_label, source.id AS start_id, 'Relation' AS end_label, COLLECT {
  MATCH (source)-[link:PARTICIPATES_IN]->(target:Relation) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Anchor)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:REFERS_TO]->(:Entity) }
RETURN 'REFERS_TO' AS type, 'Anchor' AS start_label, source.id AS start_id, 'Entity' AS end_label, COLLECT {
  MATCH (source)-[link:REFERS_TO]->(target:Entity) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Step)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:RETRIEVED]->(:Chunk) }
RETURN 'RETRIEVED' AS type, 'Step' AS start_label, source.id AS start_id, 'Chunk' AS end_label, COLLECT {
  MATCH (source)-[link:RETRIEVED]->(target:Chunk) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Anchor)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:SEEN_IN]->(:Chunk) }
RETURN 'SEEN_IN' AS type, 'Anchor' AS start_label, source.id AS start_id, 'Chunk' AS end_label, COLLECT {
  MATCH (source)-[link:SEEN_IN]->(target:Chunk) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id, link.step, link.position
} AS ends
ORDER BY source.corpus, start_id
UNION ALL
MATCH (source:Relation)
WHERE source.corpus = $corpus AND source.id IS NOT NULL AND EXISTS { (source)-[:STATED_IN]->(:Chunk) }
RETURN 'STATED_IN' AS type, 'Relation' AS start_label, source.id AS start_id, 'Chunk' AS end_label, COLLECT {
  MATCH (source)-[link:STATED_IN]->(target:Chunk) RETURN {id: target.id, properties: properties(link)} ORDER BY target.id
} AS ends
ORDER BY source.corpus, start_id
