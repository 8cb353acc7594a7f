// upsert_remains — mark what is left of a corpus as an interrupted restore, to be deleted; no row if there is a corpus
// Params  $corpus: STRING
// Returns name: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MERGE (state:IngestState {corpus: $corpus, id: $corpus})
ON CREATE SET state.published = 0, state.metadata_keys = []
WITH state
WHERE NOT EXISTS { (:Corpus {corpus: $corpus, id: $corpus}) }
SET state.restoring = coalesce(state.restoring, '')
RETURN state.corpus AS name
