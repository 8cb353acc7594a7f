// find_keys — all keys of the service, oldest first
// Params  none
// Returns id: STRING, name: STRING, scopes: LIST<STRING>, patterns: LIST<STRING>, created: INTEGER, expires: INTEGER,
//         used: INTEGER, revoked: INTEGER, is_valid: BOOLEAN
// Access  read
// Allows  NodeByLabelScan
MATCH (key:ServiceKey)
RETURN key.id AS id, key.name AS name, key.scopes AS scopes, key.patterns AS patterns, key.created AS created,
       key.expires AS expires, key.used AS used, key.revoked AS revoked,
       key.revoked IS NULL AND coalesce(key.expires > timestamp(), true) AS is_valid
ORDER BY created, id
