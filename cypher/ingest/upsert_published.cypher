// upsert_published — publish a new generation, after everything built from the documents is complete; empty contents are kept
// Params  $corpus: STRING, $graphs: LIST<STRING>, $contents: STRING
// Returns generation: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
SET corpus.generation = corpus.generation + 1
SET state.published = corpus.generation, state.graphs = $graphs,
    state.contents = coalesce(nullIf($contents, ''), state.contents)
RETURN corpus.generation AS generation
