// find_expired_sessions — ids of the expired sessions
// Params  $corpus: STRING, $now: STRING
// Returns id: STRING
// Access  read
// Plan    NodeIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.expires <= $now
RETURN session.id AS id
ORDER BY id
