// delete_key — delete a revoked key of the service
// Params  $id: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (key:ServiceKey {id: $id})
WHERE key.revoked IS NOT NULL
DETACH DELETE key
