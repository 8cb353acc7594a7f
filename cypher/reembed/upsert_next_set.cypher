// upsert_next_set — note the collections that another embedder is going to fill
// Params  $corpus: STRING, $embedder: STRING, $next: INTEGER
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
SET state.next_set = $next, state.next_embedder = $embedder
