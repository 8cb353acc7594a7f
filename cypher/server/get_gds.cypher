// get_gds — version of Graph Data Science; compiles only if it is installed, see count_gds
// Params  none
// Returns version: STRING
// Access  read
RETURN gds.version() AS version
