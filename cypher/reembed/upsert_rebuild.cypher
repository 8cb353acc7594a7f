// upsert_rebuild — note that the graphs are going to be of other vectors than those in use; the next publish builds all
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
SET state.rebuild = true
