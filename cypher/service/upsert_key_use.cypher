// upsert_key_use — note the time at which a key of the service was used
// Params  $id: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (key:ServiceKey {id: $id})
SET key.used = timestamp()
