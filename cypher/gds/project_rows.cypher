// project_rows — project weighted edges [source, target, weight] that are not stored; any numbers can be nodes
// Params  $graph: STRING, $rows: LIST<LIST>
// Returns nodes: INTEGER, relationships: INTEGER
// Access  read
UNWIND $rows AS row
// one thread: each has buffers of megabytes, so that concurrent searches would fill a small heap
WITH gds.graph.project(
  $graph, row[0], row[1], {relationshipProperties: {weight: row[2]}}, {readConcurrency: 1}
) AS projected
RETURN projected.nodeCount AS nodes, projected.relationshipCount AS relationships
