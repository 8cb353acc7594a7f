// stream_ranks — PageRank of the made-up chunks, highest first
// Params  $graph: STRING
// Returns id: STRING, score: FLOAT
// Access  read
CALL gds.pageRank.stream($graph) YIELD nodeId, score
RETURN gds.util.asNode(nodeId).id AS id, score AS score
ORDER BY score DESC, id
LIMIT 10
