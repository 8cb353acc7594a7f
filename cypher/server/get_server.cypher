// get_server — version and edition of the server, identity of the database
// Params  none
// Returns version: STRING, edition: STRING, database: STRING
// Access  read
CALL dbms.components() YIELD name, versions, edition
WITH versions[0] AS version, edition WHERE name = 'Neo4j Kernel'
CALL db.info() YIELD id
RETURN version AS version, edition AS edition, id AS database
