// count_keys — number of keys of the service that are valid now
// Params  none
// Returns valid: INTEGER
// Access  read
// Allows  NodeByLabelScan
MATCH (key:ServiceKey)
WHERE key.revoked IS NULL AND coalesce(key.expires > timestamp(), true)
RETURN count(key) AS valid
