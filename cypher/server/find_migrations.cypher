// find_migrations — the schema files that were applied to this database, in order
// Params  none
// Returns version: INTEGER, name: STRING, sha256: STRING, applied: STRING
// Access  read
// Allows  NodeByLabelScan
MATCH (migration:SchemaMigration)
RETURN migration.version AS version, migration.name AS name, migration.sha256 AS sha256,
       toString(migration.applied) AS applied
ORDER BY version
