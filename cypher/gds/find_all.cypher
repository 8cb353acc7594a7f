// find_all — projections of all corpora of this database, in order of name
// Params  none
// Returns name: STRING
// Access  read
CALL db.info() YIELD name AS here
CALL gds.graph.list() YIELD graphName, database
WITH here, graphName, database
WHERE database = here AND graphName =~ '[0-9a-f]{16}-[a-z_]+-[0-9a-f-]+'
RETURN graphName AS name
ORDER BY name
