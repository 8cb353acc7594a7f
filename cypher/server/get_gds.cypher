// get_gds — version of Graph Data Science; compiles only where count_gds finds it
// Params  none
// Returns version: STRING
// Access  read
RETURN gds.version() AS version
