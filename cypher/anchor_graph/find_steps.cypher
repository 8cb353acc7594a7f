// find_steps — the steps of a session with the chunks that each retrieved, in order
// Params  $corpus: STRING, $session: STRING
// Returns number: INTEGER, question: STRING, query: STRING, retriever: STRING, thought: STRING, judgement: STRING,
//         next_query: STRING, notes: LIST<STRING>, usage: STRING, chain: STRING, answer: STRING, summary: STRING,
//         next_retriever: STRING, retrieved: INTEGER, hits: LIST<LIST>, facts: LIST<LIST>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (:Session {corpus: $corpus, id: $session})-[:HAS_STEP]->(step:Step)
RETURN step.number AS number, step.question AS question, step.query AS query, step.retriever AS retriever,
       step.thought AS thought, step.judgement AS judgement, step.next_query AS next_query, step.notes AS notes,
       step.usage AS usage, step.chain AS chain, step.answer AS answer, step.summary AS summary,
       step.next_retriever AS next_retriever, step.retrieved AS retrieved,
       COLLECT {
         MATCH (step)-[hit:RETRIEVED]->(chunk:Chunk)
         RETURN [hit.rank, hit.score, chunk.id] AS one ORDER BY one[0], one[2]
       } AS hits,
       COLLECT {
         MATCH (step)-[found:FOUND]->(relation:Relation)
         RETURN [found.rank, found.score, relation.id, relation.description] AS one ORDER BY one[0], one[2]
       } AS facts
ORDER BY number
