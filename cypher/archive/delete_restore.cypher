// delete_restore — give up a restore that was interrupted, after its contents were deleted
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
WHERE state.restoring IS NOT NULL
DELETE state
