// drop_projection — drop a projection; does nothing if there is none
// Params  $graph: STRING
// Returns name: STRING
// Access  read
CALL gds.graph.drop($graph, false) YIELD graphName
RETURN graphName AS name
