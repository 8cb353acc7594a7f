// drop_lease — give the right to change a corpus back
// Params  $corpus: STRING, $holder: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
WHERE state.holder = $holder
REMOVE state.holder, state.heartbeat
