// stream_walks — probability mass of the first nodes after given numbers of steps of a weighted, personalised PageRank
// Params  $graph: STRING, $sources: LIST<LIST>, $damping: FLOAT, $iterations: LIST<INTEGER>, $nodes: INTEGER
// Returns iterations: INTEGER, reached: LIST<INTEGER>, masses: LIST<FLOAT>
// Access  read
UNWIND $iterations AS iterations
CALL gds.pageRank.stream($graph, {
  sourceNodes: $sources, dampingFactor: $damping, maxIterations: iterations, tolerance: 0.0, concurrency: 1,
  relationshipWeightProperty: 'weight'
}) YIELD nodeId, score
WITH iterations, nodeId, score WHERE nodeId < $nodes AND score > 0
WITH iterations, nodeId, score ORDER BY iterations, nodeId
RETURN iterations AS iterations, collect(nodeId) AS reached, collect(score) AS masses
ORDER BY iterations
