// upsert_session — a session that runs; one that another writer made meanwhile stays as it is, and that writer's
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $properties: MAP
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
MERGE (session:Session {corpus: $corpus, id: $session})
ON CREATE SET session += $properties, session.status = 'running', session.owner = $owner,
              session.generation = corpus.generation
