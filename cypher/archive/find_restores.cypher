// find_restores — corpora of the database whose restore has begun and not ended
// Params  none
// Returns name: STRING
// Access  read
// Allows  NodeByLabelScan
MATCH (state:IngestState)
WHERE state.restoring IS NOT NULL
RETURN state.corpus AS name
ORDER BY name
