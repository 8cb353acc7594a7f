// get_gds — version of Graph Data Science; no row where it is not installed
// Params  none
// Returns version: STRING
// Access  read
SHOW FUNCTIONS YIELD name
WHERE name = 'gds.version'
RETURN name AS version
