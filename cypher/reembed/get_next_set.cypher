// get_next_set — the collections that another embedder fills, and its name; no row unless that has begun
// Params  $corpus: STRING
// Returns embedder: STRING, next: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
WHERE state.next_set IS NOT NULL
RETURN state.next_embedder AS embedder, state.next_set AS next
