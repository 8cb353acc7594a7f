// get_lease — the holder of the right to change a corpus, and the time since its last renewal
// Params  $corpus: STRING
// Returns holder: STRING, age_ms: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
RETURN state.holder AS holder, timestamp() - coalesce(state.heartbeat, 0) AS age_ms
