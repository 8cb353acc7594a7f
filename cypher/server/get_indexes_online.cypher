// get_indexes_online — wait until every index is populated; the database raises an error after the timeout
// Params  $timeout_s: INTEGER
// Returns is_online: BOOLEAN
// Access  read
CALL db.awaitIndexes($timeout_s)
RETURN true AS is_online
