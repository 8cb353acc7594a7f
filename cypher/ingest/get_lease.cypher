// get_lease — who may change a corpus now, and how long ago the holder was heard of
// Params  $corpus: STRING
// Returns holder: STRING, age_ms: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
RETURN state.holder AS holder, timestamp() - coalesce(state.heartbeat, 0) AS age_ms
