// delete_next_set — forget collections that another embedder was to fill
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
REMOVE state.next_set, state.next_embedder
