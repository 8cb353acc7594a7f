// delete_rebuild — note that all graphs are of the vectors in use
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
REMOVE state.rebuild
