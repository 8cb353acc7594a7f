// find_projections — names of the projections with a prefix, in order
// Params  $prefix: STRING
// Returns name: STRING
// Access  read
CALL gds.graph.list() YIELD graphName
WITH graphName WHERE graphName STARTS WITH $prefix
RETURN graphName AS name
ORDER BY name
