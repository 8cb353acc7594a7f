// count_keys — numbers of keys of the service: of all, and of those that are valid now
// Params  none
// Returns total: INTEGER, valid: INTEGER
// Access  read
// Allows  NodeByLabelScan
MATCH (key:ServiceKey)
WITH key.revoked IS NULL AND coalesce(key.expires > timestamp(), true) AS isValid
RETURN count(*) AS total, count(CASE WHEN isValid THEN 1 END) AS valid
