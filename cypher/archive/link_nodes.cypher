// link_nodes — write relationships of a backup by type and labels of both ends; returns how many have both ends
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns written: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct, Eager
UNWIND $rows AS row
WITH row WHERE row.kind = 'Step-ADDED-Anchor'
MATCH (source:Step {corpus: $corpus, id: row.start})
MATCH (target:Anchor {corpus: $corpus, id: row.end})
MERGE (source)-[link:ADDED]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Chunk-AFFINITY-Chunk'
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:AFFINITY]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Alias-ALIAS_OF-Entity'
MATCH (source:Alias {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:ALIAS_OF {document: row.properties.document}]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Anchor-ANCHORED-Anchor'
MATCH (source:Anchor {corpus: $corpus, id: row.start})
MATCH (target:Anchor {corpus: $corpus, id: row.end})
MERGE (source)-[link:ANCHORED {step: row.properties.step, position: row.properties.position}]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Community-CONTAINS-Chunk'
MATCH (source:Community {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:CONTAINS]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Community-CONTAINS-Community'
MATCH (source:Community {corpus: $corpus, id: row.start})
MATCH (target:Community {corpus: $corpus, id: row.end})
MERGE (source)-[link:CONTAINS]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'EncodingTree-CONTAINS-Community'
MATCH (source:EncodingTree {corpus: $corpus, id: row.start})
MATCH (target:Community {corpus: $corpus, id: row.end})
MERGE (source)-[link:CONTAINS]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Chunk-DESCRIBES-Entity'
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:DESCRIBES]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Session-FORKED_FROM-Session'
MATCH (source:Session {corpus: $corpus, id: row.start})
MATCH (target:Session {corpus: $corpus, id: row.end})
MERGE (source)-[link:FORKED_FROM]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Step-FOUND-Relation'
MATCH (source:Step {corpus: $corpus, id: row.start})
MATCH (target:Relation {corpus: $corpus, id: row.end})
MERGE (source)-[link:FOUND]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Document-HAS_CHUNK-Chunk'
MATCH (source:Document {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:HAS_CHUNK]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Session-HAS_STEP-Step'
MATCH (source:Session {corpus: $corpus, id: row.start})
MATCH (target:Step {corpus: $corpus, id: row.end})
MERGE (source)-[link:HAS_STEP]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Chunk-INFO_GAIN-Chunk'
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:INFO_GAIN]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Alias-KEPT_APART-Entity'
MATCH (source:Alias {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:KEPT_APART]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Chunk-MENTIONS-Entity'
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:MENTIONS]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Chunk-NEXT-Chunk'
MATCH (source:Chunk {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:NEXT]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Entity-PARTICIPATES_IN-Relation'
MATCH (source:Entity {corpus: $corpus, id: row.start})
MATCH (target:Relation {corpus: $corpus, id: row.end})
MERGE (source)-[link:PARTICIPATES_IN]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Anchor-REFERS_TO-Entity'
MATCH (source:Anchor {corpus: $corpus, id: row.start})
MATCH (target:Entity {corpus: $corpus, id: row.end})
MERGE (source)-[link:REFERS_TO]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Step-RETRIEVED-Chunk'
MATCH (source:Step {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:RETRIEVED]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Anchor-SEEN_IN-Chunk'
MATCH (source:Anchor {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:SEEN_IN {step: row.properties.step, position: row.properties.position}]->(target)
SET link += row.properties
RETURN count(*) AS written
UNION ALL
UNWIND $rows AS row
WITH row WHERE row.kind = 'Relation-STATED_IN-Chunk'
MATCH (source:Relation {corpus: $corpus, id: row.start})
MATCH (target:Chunk {corpus: $corpus, id: row.end})
MERGE (source)-[link:STATED_IN]->(target)
SET link += row.properties
RETURN count(*) AS written
