// find_vector_sets — number of the collections that each corpus of the database uses, and of those that replace them
// Params  none
// Returns name: STRING, used: INTEGER, next: INTEGER
// Access  read
// Allows  NodeByLabelScan
MATCH (state:IngestState)
RETURN state.corpus AS name, coalesce(state.vector_set, 1) AS used, state.next_set AS next
ORDER BY name
