// upsert_key_end — revoke a key of the service; no row if there is none of that id
// Params  $id: STRING
// Returns id: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (key:ServiceKey {id: $id})
SET key.revoked = coalesce(key.revoked, timestamp())
RETURN key.id AS id
