// link_fork — link a session to the one from which its first steps were copied
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $origin: STRING, $at: INTEGER
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (session:Session {corpus: $corpus, id: $session})
WHERE session.owner = $owner
MATCH (origin:Session {corpus: $corpus, id: $origin})
MERGE (session)-[fork:FORKED_FROM]->(origin)
SET fork.step = $at
