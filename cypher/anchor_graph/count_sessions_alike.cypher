// count_sessions_alike — number of sessions that began with the same question and settings
// Params  $corpus: STRING, $series: STRING
// Returns sessions: INTEGER
// Access  read
// Plan    NodeIndexSeek
MATCH (session:Session {corpus: $corpus, series: $series})
RETURN count(session) AS sessions
