// upsert_owner — who may write to a session from now on: the newest that asks
// Params  $corpus: STRING, $session: STRING, $owner: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (session:Session {corpus: $corpus, id: $session})
SET session.owner = $owner
