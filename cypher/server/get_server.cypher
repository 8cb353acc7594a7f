// get_server — version and edition of the server, identity of the database
// Params  none
// Returns version: STRING, edition: STRING, database: STRING
// Access  read
CALL dbms.components() YIELD name, versions, edition
WITH versions, edition WHERE name = 'Neo4j Kernel'
CALL db.info() YIELD id
RETURN versions[0] AS version, edition, id AS database
