// count_gds — 1 where Graph Data Science is installed, else 0: `gds.version()` does not compile without it
// Params  none
// Returns installed: INTEGER
// Access  read
SHOW FUNCTIONS YIELD name
WHERE name = 'gds.version'
RETURN count(*) AS installed
