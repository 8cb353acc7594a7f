// upsert_furniture — add keys of lines to those that a corpus remembers as furniture of pages
// Params  $corpus: STRING, $keys: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
SET state.furniture = coalesce(state.furniture, []) + [key IN $keys WHERE NOT key IN coalesce(state.furniture, [])]
