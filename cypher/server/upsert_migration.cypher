// upsert_migration — record an applied schema file; of two concurrent records the first stays
// Params  $version: INTEGER, $name: STRING, $sha256: STRING
// Returns version: INTEGER, name: STRING, sha256: STRING, applied: STRING
// Access  write
// Plan    NodeUniqueIndexSeek(Locking)
MERGE (migration:SchemaMigration {version: $version})
ON CREATE SET migration.name = $name, migration.sha256 = $sha256, migration.applied = datetime()
RETURN migration.version AS version, migration.name AS name, migration.sha256 AS sha256,
       toString(migration.applied) AS applied
