// link_nodes — write relationships of one type and labels of a backup, a row a start; returns how many have both ends
// Params  $corpus: STRING, $kind: STRING, $rows: LIST<MAP>
// Returns written: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct, Eager
WITH $kind AS kind WHERE kind = 'Step-ADDED-Anchor'
UNWIND $rows AS row
MATCH (source:Step {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Anchor {corpus: $corpus, id: end.id})
MERGE (source)-[link:ADDED]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-AFFINITY-Chunk'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Chunk {corpus: $corpus, id: end.id})
MERGE (source)-[link:AFFINITY]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Alias-ALIAS_OF-Entity'
UNWIND $rows AS row
MATCH (source:Alias {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Entity {corpus: $corpus, id: end.id})
MERGE (source)-[link:ALIAS_OF {document: end.properties.document}]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Anchor-ANCHORED-Anchor'
UNWIND $rows AS row
MATCH (source:Anchor {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Anchor {corpus: $corpus, id: end.id})
MERGE (source)-[link:ANCHORED {step: end.properties.step, position: end.properties.position}]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Community-CONTAINS-Chunk'
UNWIND $rows AS row
MATCH (source:Community {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Chunk {corpus: $corpus, id: end.id})
MERGE (source)-[link:CONTAINS]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Community-CONTAINS-Community'
UNWIND $rows AS row
MATCH (source:Community {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Community {corpus: $corpus, id: end.id})
MERGE (source)-[link:CONTAINS]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'EncodingTree-CONTAINS-Community'
UNWIND $rows AS row
MATCH (source:EncodingTree {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Community {corpus: $corpus, id: end.id})
MERGE (source)-[link:CONTAINS]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-DESCRIBES-Entity'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Entity {corpus: $corpus, id: end.id})
MERGE (source)-[link:DESCRIBES]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Session-FORKED_FROM-Session'
UNWIND $rows AS row
MATCH (source:Session {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Session {corpus: $corpus, id: end.id})
MERGE (source)-[link:FORKED_FROM]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Step-FOUND-Relation'
UNWIND $rows AS row
MATCH (source:Step {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Relation {corpus: $corpus, id: end.id})
MERGE (source)-[link:FOUND]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Document-HAS_CHUNK-Chunk'
UNWIND $rows AS row
MATCH (source:Document {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Chunk {corpus: $corpus, id: end.id})
MERGE (source)-[link:HAS_CHUNK]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Session-HAS_STEP-Step'
UNWIND $rows AS row
MATCH (source:Session {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Step {corpus: $corpus, id: end.id})
MERGE (source)-[link:HAS_STEP]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-INFO_GAIN-Chunk'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Chunk {corpus: $corpus, id: end.id})
MERGE (source)-[link:INFO_GAIN]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Alias-KEPT_APART-Entity'
UNWIND $rows AS row
MATCH (source:Alias {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Entity {corpus: $corpus, id: end.id})
MERGE (source)-[link:KEPT_APART]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-MENTIONS-Entity'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Entity {corpus: $corpus, id: end.id})
MERGE (source)-[link:MENTIONS]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Chunk-NEXT-Chunk'
UNWIND $rows AS row
MATCH (source:Chunk {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Chunk {corpus: $corpus, id: end.id})
MERGE (source)-[link:NEXT]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Entity-PARTICIPATES_IN-Relation'
UNWIND $rows AS row
MATCH (source:Entity {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Relation {corpus: $corpus, id: end.id})
MERGE (source)-[link:PARTICIPATES_IN]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Anchor-REFERS_TO-Entity'
UNWIND $rows AS row
MATCH (source:Anchor {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Entity {corpus: $corpus, id: end.id})
MERGE (source)-[link:REFERS_TO]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Step-RETRIEVED-Chunk'
UNWIND $rows AS row
MATCH (source:Step {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Chunk {corpus: $corpus, id: end.id})
MERGE (source)-[link:RETRIEVED]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Anchor-SEEN_IN-Chunk'
UNWIND $rows AS row
MATCH (source:Anchor {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Chunk {corpus: $corpus, id: end.id})
MERGE (source)-[link:SEEN_IN {step: end.properties.step, position: end.properties.position}]->(target)
SET link += end.properties
RETURN count(*) AS written
UNION ALL
WITH $kind AS kind WHERE kind = 'Relation-STATED_IN-Chunk'
UNWIND $rows AS row
MATCH (source:Relation {corpus: $corpus, id: row.start})
UNWIND row.ends AS end
MATCH (target:Chunk {corpus: $corpus, id: end.id})
MERGE (source)-[link:STATED_IN]->(target)
SET link += end.properties
RETURN count(*) AS written
