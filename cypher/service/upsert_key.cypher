// upsert_key — store a new key of the service: its hash and rights, never the key itself
// Params  $id: STRING, $name: STRING, $sha256: STRING, $scopes: LIST<STRING>, $patterns: LIST<STRING>,
//         $lifetime_ms: INTEGER
// Returns created: INTEGER, expires: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
MERGE (key:ServiceKey {id: $id})
ON CREATE SET key.name = $name, key.sha256 = $sha256, key.scopes = $scopes, key.patterns = $patterns,
              key.created = timestamp(),
              key.expires = CASE WHEN $lifetime_ms > 0 THEN timestamp() + $lifetime_ms END
RETURN key.created AS created, key.expires AS expires
