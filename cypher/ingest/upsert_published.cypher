// upsert_published — publish a new generation, after everything built from the documents is complete
// Params  $corpus: STRING, $graphs: LIST<STRING>
// Returns generation: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
SET corpus.generation = corpus.generation + 1
SET state.published = corpus.generation, state.graphs = $graphs
RETURN corpus.generation AS generation
