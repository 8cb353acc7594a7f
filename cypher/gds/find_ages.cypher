// find_ages — projections of corpora of this database, with the seconds since their creation, in order of name
// Params  none
// Returns name: STRING, age_s: INTEGER
// Access  read
CALL db.info() YIELD name AS here
CALL gds.graph.list() YIELD graphName, database, creationTime
WITH here, graphName, database, creationTime
WHERE database = here AND graphName =~ '[0-9a-f]{16}-[a-z_]+-[0-9a-f-]+'
RETURN graphName AS name, datetime().epochSeconds - datetime(creationTime).epochSeconds AS age_s
ORDER BY name
