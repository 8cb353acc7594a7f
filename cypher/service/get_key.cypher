// get_key — hash, rights and remaining time of a key of the service, by the clock of the database
// Params  $id: STRING
// Returns name: STRING, sha256: STRING, scopes: LIST<STRING>, patterns: LIST<STRING>, is_revoked: BOOLEAN,
//         left_ms: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (key:ServiceKey {id: $id})
RETURN key.name AS name, key.sha256 AS sha256, key.scopes AS scopes, key.patterns AS patterns,
       key.revoked IS NOT NULL AS is_revoked, key.expires - timestamp() AS left_ms
