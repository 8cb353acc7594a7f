// upsert_generation — a change of the corpus' documents: every index and projection made before is out of date
// Params  $corpus: STRING, $metadata_keys: LIST<STRING>
// Returns generation: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
SET corpus.generation = corpus.generation + 1,
    state.metadata_keys = state.metadata_keys + [key IN $metadata_keys WHERE NOT key IN state.metadata_keys]
RETURN corpus.generation AS generation
