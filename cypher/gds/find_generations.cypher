// find_generations — projections of generations of all corpora, newest first
// Params  none
// Returns name: STRING
// Access  read
CALL gds.graph.list() YIELD graphName, creationTime
WITH graphName, creationTime WHERE graphName =~ '[0-9a-f]{16}-[a-z]+-[0-9]{12}-[0-9a-f]{8}'
RETURN graphName AS name
ORDER BY creationTime DESC, name
