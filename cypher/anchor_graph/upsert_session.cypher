// upsert_session — create a running session; one that another process has created meanwhile is not changed
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $properties: MAP
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
SET corpus.locked = true
REMOVE corpus.locked
WITH corpus
// null if the corpus was deleted while this waited for the lock
WHERE corpus.id = $corpus
MERGE (session:Session {corpus: $corpus, id: $session})
ON CREATE SET session += $properties, session.status = 'running', session.owner = $owner,
              session.generation = corpus.generation
