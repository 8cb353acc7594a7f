// stream_ranks — the best chunks of a personalised PageRank, ties in order of id
// Params  $graph: STRING, $corpus: STRING, $seeds: LIST<LIST>, $restart: FLOAT, $iterations: INTEGER, $limit: INTEGER,
//         $allowed: LIST<STRING>
// Returns ids: LIST<STRING>, scores: LIST<FLOAT>, total: FLOAT
// Access  read
// Plan    NodeUniqueIndexSeek
// Source  iG²RAG (2025), eq. (6) to (8); without $allowed, every chunk; chunks deleted since the projection are left out
UNWIND $seeds AS seed
MATCH (chunk:Chunk {corpus: $corpus, id: seed[0]})
WITH collect([chunk, seed[1]]) AS seeds
CALL gds.pageRank.stream($graph, {
  sourceNodes: seeds, dampingFactor: 1 - $restart, maxIterations: $iterations, tolerance: 0.0, concurrency: 1,
  relationshipWeightProperty: 'weight'
}) YIELD nodeId, score
WITH nodeId, score WHERE score > 0
WITH collect([nodeId, score]) AS reached, sum(score) AS total
WITH total, CASE WHEN $allowed IS NULL THEN reached
            ELSE [rank IN reached WHERE gds.util.asNode(rank[0]).id IN $allowed] END AS ranks
UNWIND ranks AS rank
WITH total, rank ORDER BY rank[1] DESC
WITH total, collect(rank) AS ranks
WITH total, ranks, ranks[CASE WHEN size(ranks) < $limit THEN size(ranks) - 1 ELSE $limit - 1 END][1] AS last
UNWIND ranks AS rank
WITH total, rank, last WHERE rank[1] >= last * 0.999999999
WITH total, gds.util.asNode(rank[0]) AS chunk, round(rank[1] / total, 12) AS score
WHERE chunk:Chunk AND chunk.corpus = $corpus
WITH total, chunk.id AS id, score
ORDER BY score DESC, id LIMIT $limit
RETURN collect(id) AS ids, collect(score) AS scores, total AS total
