// upsert_restore — begin a restore: no row if there is such a corpus, or nodes of an ingest
// Params  $corpus: STRING, $backup: STRING
// Returns name: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MERGE (state:IngestState {corpus: $corpus, id: $corpus})
ON CREATE SET state.restoring = $backup, state.published = 0, state.metadata_keys = []
WITH state
WHERE state.restoring IS NOT NULL AND NOT EXISTS { (:Corpus {corpus: $corpus, id: $corpus}) }
SET state.restoring = $backup
RETURN state.corpus AS name
