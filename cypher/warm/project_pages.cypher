// project_pages — the made-up chunks as a graph in GDS
// Params  $corpus: STRING, $graph: STRING
// Returns nodes: INTEGER
// Access  read
// Allows  NodeByLabelScan
MATCH (chunk:Chunk {corpus: $corpus})-[:NEXT]->(next:Chunk {corpus: $corpus})
WITH gds.graph.project($graph, chunk, next) AS projected
RETURN projected.nodeCount AS nodes
