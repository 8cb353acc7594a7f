// drop_projection — forget a projection; nothing happens when it is gone already
// Params  $graph: STRING
// Returns name: STRING
// Access  read
CALL gds.graph.drop($graph, false) YIELD graphName
RETURN graphName AS name
