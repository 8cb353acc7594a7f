// link_nodes — write relationships of one type and labels of both ends of a backup; returns how many have both ends
// Params  $corpus: STRING, $kind: STRING, $rows: LIST<MAP>
// Returns written: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct, Eager
WITH $kind AS kind WHERE kind = 'Step-ADDED-Anchor'
UNWIND $rows AS row
MATCH (source:Step {corpus: $corpus, id: row.start})
MATCH (target:Anchor {corpus: $corpus, id: row.end})
MERGE (source)-[link:ADDED]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-AFFINITY-Chunk'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:AFFINITY]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Alias-ALIAS_OF-Entity'
UNWIND $rows AS row
MATCH (source:Alias {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:ALIAS_OF {document: row.properties.document}]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Anchor-ANCHORED-Anchor'
UNWIND $rows AS row
MATCH (source:Anchor {corpus: $corpus, id: row.start})
MATCH (target:Anchor {corpus: $corpus, id: row.end})
MERGE (source)-[link:ANCHORED {step: row.properties.step, position: row.properties.position}]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Community-CONTAINS-Chunk'
UNWIND $rows AS row
MATCH (source:Community {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:CONTAINS]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Community-CONTAINS-Community'
UNWIND $rows AS row
MATCH (source:Community {corpus: $corpus, id: row.start})
MATCH (target:Community {corpus: $corpus, id: row.end})
MERGE (source)-[link:CONTAINS]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'EncodingTree-CONTAINS-Community'
UNWIND $rows AS row
MATCH (source:EncodingTree {corpus: $corpus, id: row.start})
MATCH (target:Community {corpus: $corpus, id: row.end})
MERGE (source)-[link:CONTAINS]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-DESCRIBES-Entity'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:DESCRIBES]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Session-FORKED_FROM-Session'
UNWIND $rows AS row
MATCH (source:Session {corpus: $corpus, id: row.start})
MATCH (target:Session {corpus: $corpus, id: row.end})
MERGE (source)-[link:FORKED_FROM]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Step-FOUND-Relation'
UNWIND $rows AS row
MATCH (source:Step {corpus: $corpus, id: row.start})
MATCH (target:Relation {corpus: $corpus, id: row.end})
MERGE (source)-[link:FOUND]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Document-HAS_CHUNK-Chunk'
UNWIND $rows AS row
MATCH (source:Document {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:HAS_CHUNK]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Session-HAS_STEP-Step'
UNWIND $rows AS row
MATCH (source:Session {corpus: $corpus, id: row.start})
MATCH (target:Step {corpus: $corpus, id: row.end})
MERGE (source)-[link:HAS_STEP]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-INFO_GAIN-Chunk'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:INFO_GAIN]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Alias-KEPT_APART-Entity'
UNWIND $rows AS row
MATCH (source:Alias {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:KEPT_APART]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-MENTIONS-Entity'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:MENTIONS]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-NEXT-Chunk'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:NEXT]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Entity-PARTICIPATES_IN-Relation'
UNWIND $rows AS row
MATCH (source:Entity {corpus: $corpus, id: row.start})
MATCH (target:Relation {corpus: $corpus, id: row.end})
MERGE (source)-[link:PARTICIPATES_IN]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Anchor-REFERS_TO-Entity'
UNWIND $rows AS row
MATCH (source:Anchor {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:REFERS_TO]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Step-RETRIEVED-Chunk'
UNWIND $rows AS row
MATCH (source:Step {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:RETRIEVED]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Anchor-SEEN_IN-Chunk'
UNWIND $rows AS row
MATCH (source:Anchor {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:SEEN_IN {step: row.properties.step, position: row.properties.position}]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Relation-STATED_IN-Chunk'
UNWIND $rows AS row
MATCH (source:Relation {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:STATED_IN]->(target)
SET link += row.properties
RETURN count(*) AS written
