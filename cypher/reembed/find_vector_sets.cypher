// find_vector_sets — sets of collections that each corpus uses, that replace them, and whether former ones are kept
// Params  none
// Returns name: STRING, used: INTEGER, next: INTEGER, is_former_kept: BOOLEAN
// Access  read
// Allows  NodeByLabelScan
MATCH (state:IngestState)
RETURN state.corpus AS name, coalesce(state.vector_set, 1) AS used, state.next_set AS next,
       coalesce(state.kept_until > timestamp(), false) AS is_former_kept
ORDER BY name
