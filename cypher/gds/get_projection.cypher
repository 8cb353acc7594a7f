// get_projection — one projection by name
// Params  $graph: STRING
// Returns name: STRING
// Access  read
CALL gds.graph.exists($graph) YIELD graphName, exists
WITH graphName WHERE exists
RETURN graphName AS name
