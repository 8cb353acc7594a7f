// project_rows — a projection of weighted edges that are nowhere stored, [source, target, weight], nodes by any number
// Params  $graph: STRING, $rows: LIST<LIST>
// Returns nodes: INTEGER, relationships: INTEGER
// Access  read
UNWIND $rows AS row
// one thread: each has buffers of megabytes, which processes that search at once would fill a small heap with
WITH gds.graph.project(
  $graph, row[0], row[1], {relationshipProperties: {weight: row[2]}}, {readConcurrency: 1}
) AS projected
RETURN projected.nodeCount AS nodes, projected.relationshipCount AS relationships
