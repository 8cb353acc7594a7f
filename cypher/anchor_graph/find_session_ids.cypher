// find_session_ids — ids of sessions with a common beginning
// Params  $corpus: STRING, $begins: STRING, $limit: INTEGER
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (session:Session)
WHERE session.corpus = $corpus AND session.id STARTS WITH $begins
RETURN session.id AS id
ORDER BY id
LIMIT $limit
