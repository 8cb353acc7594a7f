// link_hits — link a step to the chunks that it retrieved
// Params  $corpus: STRING, $session: STRING, $owner: STRING, $step: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (session:Session {corpus: $corpus, id: $session})
WHERE session.owner = $owner
UNWIND $rows AS row
MATCH (step:Step {corpus: $corpus, id: $step})
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})
CREATE (step)-[:RETRIEVED {rank: row.rank, score: row.score}]->(chunk)
