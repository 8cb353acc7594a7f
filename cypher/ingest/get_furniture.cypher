// get_furniture — keys of the lines that a corpus remembers as furniture of pages
// Params  $corpus: STRING
// Returns furniture: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
RETURN coalesce(state.furniture, []) AS furniture
