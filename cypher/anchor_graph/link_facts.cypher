// link_facts — link a step to the facts that it found
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $step: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (session:Session {corpus: $corpus, id: $session})
WHERE session.owner = $owner
UNWIND $rows AS row
MATCH (step:Step {corpus: $corpus, id: $step})
MATCH (relation:Relation {corpus: $corpus, id: row.relation})
CREATE (step)-[:FOUND {rank: row.rank, score: row.score}]->(relation)
