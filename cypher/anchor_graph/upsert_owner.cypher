// upsert_owner — set the process that may write to a session; the last one to ask replaces earlier ones
// Params  $corpus: STRING, $session: STRING, $owner: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (session:Session {corpus: $corpus, id: $session})
SET session.owner = $owner
