// find_relationships — all relationships of the public schema with their properties, by type and both ends
// Params  $corpus: STRING
// Returns type: STRING, start_label: STRING, start_id: STRING, end_label: STRING, end_id: STRING, properties: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (source:Step)-[link:ADDED]->(target:Anchor)
USING INDEX source:Step(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'ADDED' AS type, 'Step' AS start_label, source.id AS start_id, 'Anchor' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Chunk)-[link:AFFINITY]->(target:Chunk)
USING INDEX source:Chunk(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'AFFINITY' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Chunk' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Alias)-[link:ALIAS_OF]->(target:Entity)
USING INDEX source:Alias(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'ALIAS_OF' AS type, 'Alias' AS start_label, source.id AS start_id, 'Entity' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id, link.document
UNION ALL
MATCH (source:Anchor)-[link:ANCHORED]->(target:Anchor)
USING INDEX source:Anchor(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'ANCHORED' AS type, 'Anchor' AS start_label, source.id AS start_id, 'Anchor' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id, link.position
UNION ALL
MATCH (source:Community)-[link:CONTAINS]->(target:Chunk)
USING INDEX source:Community(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'CONTAINS' AS type, 'Community' AS start_label, source.id AS start_id, 'Chunk' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Community)-[link:CONTAINS]->(target:Community)
USING INDEX source:Community(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'CONTAINS' AS type, 'Community' AS start_label, source.id AS start_id, 'Community' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:EncodingTree)-[link:CONTAINS]->(target:Community)
USING INDEX source:EncodingTree(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'CONTAINS' AS type, 'EncodingTree' AS start_label, source.id AS start_id, 'Community' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Chunk)-[link:DESCRIBES]->(target:Entity)
USING INDEX source:Chunk(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'DESCRIBES' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Entity' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Session)-[link:FORKED_FROM]->(target:Session)
USING INDEX source:Session(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'FORKED_FROM' AS type, 'Session' AS start_label, source.id AS start_id, 'Session' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Step)-[link:FOUND]->(target:Relation)
USING INDEX source:Step(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'FOUND' AS type, 'Step' AS start_label, source.id AS start_id, 'Relation' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Document)-[link:HAS_CHUNK]->(target:Chunk)
USING INDEX source:Document(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'HAS_CHUNK' AS type, 'Document' AS start_label, source.id AS start_id, 'Chunk' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Session)-[link:HAS_STEP]->(target:Step)
USING INDEX source:Session(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'HAS_STEP' AS type, 'Session' AS start_label, source.id AS start_id, 'Step' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Chunk)-[link:INFO_GAIN]->(target:Chunk)
USING INDEX source:Chunk(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'INFO_GAIN' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Chunk' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Alias)-[link:KEPT_APART]->(target:Entity)
USING INDEX source:Alias(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'KEPT_APART' AS type, 'Alias' AS start_label, source.id AS start_id, 'Entity' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Chunk)-[link:MENTIONS]->(target:Entity)
USING INDEX source:Chunk(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'MENTIONS' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Entity' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Chunk)-[link:NEXT]->(target:Chunk)
USING INDEX source:Chunk(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'NEXT' AS type, 'Chunk' AS start_label, source.id AS start_id, 'Chunk' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Entity)-[link:PARTICIPATES_IN]->(target:Relation)
USING INDEX source:Entity(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'PARTICIPATES_IN' AS type, 'Entity' AS start_label, source.id AS start_id, 'Relation' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Anchor)-[link:REFERS_TO]->(target:Entity)
USING INDEX source:Anchor(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'REFERS_TO' AS type, 'Anchor' AS start_label, source.id AS start_id, 'Entity' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Step)-[link:RETRIEVED]->(target:Chunk)
USING INDEX source:Step(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'RETRIEVED' AS type, 'Step' AS start_label, source.id AS start_id, 'Chunk' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
UNION ALL
MATCH (source:Anchor)-[link:SEEN_IN]->(target:Chunk)
USING INDEX source:Anchor(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'SEEN_IN' AS type, 'Anchor' AS start_label, source.id AS start_id, 'Chunk' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id, link.step, link.position
UNION ALL
MATCH (source:Relation)-[link:STATED_IN]->(target:Chunk)
USING INDEX source:Relation(corpus, id)
WHERE source.corpus = $corpus AND source.id IS NOT NULL
RETURN 'STATED_IN' AS type, 'Relation' AS start_label, source.id AS start_id, 'Chunk' AS end_label, target.id AS end_id,
       properties(link) AS properties
ORDER BY source.corpus, start_id, end_id
