// find_weights — a page of chunks with the weight of their affinity to chunks of higher id, as columns
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns firsts: LIST<STRING>, others: LIST<LIST>, weights: LIST<LIST>, last: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (first:Chunk)
WHERE first.corpus = $corpus AND first.id > $after
WITH first ORDER BY first.corpus, first.id LIMIT $limit
CALL (first) {
  OPTIONAL MATCH (first)-[affinity:AFFINITY]->(second:Chunk)
  RETURN collect(second.id) AS others, collect(affinity.weight) AS weights
}
WITH collect(first.id) AS firsts, collect(others) AS others, collect(weights) AS weights
WHERE size(firsts) > 0
RETURN firsts AS firsts, others AS others, weights AS weights, firsts[-1] AS last
ORDER BY last
