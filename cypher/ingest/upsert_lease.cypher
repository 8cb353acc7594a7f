// upsert_lease — acquire or renew the right to change a corpus; no row if another process holds it
// Params  $corpus: STRING, $holder: STRING, $expected: STRING, $lease_ms: INTEGER
// Returns holder: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
SET state.asked = $holder
WITH state
// the id is null if the corpus was dropped while this waited for the lock
WHERE state.id = $corpus
  AND (state.holder IS NULL OR state.holder IN [$holder, $expected] OR timestamp() - state.heartbeat > $lease_ms)
SET state.holder = $holder, state.heartbeat = timestamp()
REMOVE state.asked
RETURN state.holder AS holder
