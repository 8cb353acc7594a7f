// get_session — one session, with the process that may write to it
// Params  $corpus: STRING, $session: STRING
// Returns id: STRING, question: STRING, status: STRING, stopped: STRING, retriever: STRING, reasoner: STRING,
//         options: STRING, k: INTEGER, filters: STRING, started: STRING, expires: STRING, answer: STRING, owner: STRING,
//         steps: INTEGER, forked_from: STRING, forked_at: INTEGER, reward: FLOAT
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (session:Session {corpus: $corpus, id: $session})
OPTIONAL MATCH (session)-[fork:FORKED_FROM]->(origin:Session)
RETURN session.id AS id, session.question AS question, session.status AS status, session.stopped AS stopped,
       session.retriever AS retriever, session.reasoner AS reasoner, session.options AS options, session.k AS k,
       session.filters AS filters, session.started AS started, session.expires AS expires, session.answer AS answer,
       session.owner AS owner, COUNT { (session)-[:HAS_STEP]->(:Step) } AS steps, origin.id AS forked_from,
       fork.step AS forked_at, session.reward AS reward
