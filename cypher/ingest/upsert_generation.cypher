// upsert_generation — raise the generation after a change of documents, which outdates all indexes and projections
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
