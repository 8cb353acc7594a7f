// drop_lease — release the exclusive right to change a corpus
// Params  $corpus: STRING, $holder: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
WHERE state.holder = $holder
REMOVE state.holder, state.heartbeat
