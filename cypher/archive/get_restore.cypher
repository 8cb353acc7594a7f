// get_restore — the backup from which a corpus is being restored; no row unless a restore has begun and not ended
// Params  $corpus: STRING
// Returns backup: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
WHERE state.restoring IS NOT NULL
RETURN state.restoring AS backup
