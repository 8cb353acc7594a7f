// count_gds — 1 if Graph Data Science is installed, otherwise 0; `gds.version()` does not compile without it
// Params  none
// Returns installed: INTEGER
// Access  read
SHOW FUNCTIONS YIELD name
WHERE name = 'gds.version'
RETURN count(*) AS installed
