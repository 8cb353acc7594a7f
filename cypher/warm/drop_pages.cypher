// drop_pages — forget the graph in GDS
// Params  $graph: STRING
// Returns name: STRING
// Access  read
CALL gds.graph.drop($graph) YIELD graphName
RETURN graphName AS name
