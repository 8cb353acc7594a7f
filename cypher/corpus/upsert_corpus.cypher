// upsert_corpus — create a corpus; an existing one is not changed, and no row while one of that name is restored
// Params  $corpus: STRING, $embedder: STRING, $dimension: INTEGER, $settings: STRING, $schema_version: INTEGER
// Returns name: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MERGE (state:IngestState {corpus: $corpus, id: $corpus})
ON CREATE SET state.published = 0, state.metadata_keys = []
WITH state
WHERE state.restoring IS NULL
MERGE (corpus:Corpus {corpus: $corpus, id: $corpus})
ON CREATE SET corpus.name = $corpus, corpus.created = datetime(), corpus.embedder = $embedder,
              corpus.dimension = $dimension, corpus.settings = $settings,
              corpus.schema_version = $schema_version, corpus.generation = 0
RETURN corpus.name AS name
