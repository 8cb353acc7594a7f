// upsert_embedder — switch a corpus to another embedder and its collections, and note how long the former ones stay
// Params  $corpus: STRING, $embedder: STRING, $dimension: INTEGER, $settings: STRING, $used: INTEGER,
//         $keep_ms: INTEGER
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
SET corpus.embedder = $embedder, corpus.dimension = $dimension, corpus.settings = $settings, state.vector_set = $used,
    state.embedder = $embedder, state.kept_until = timestamp() + $keep_ms
REMOVE state.next_set, state.next_embedder
