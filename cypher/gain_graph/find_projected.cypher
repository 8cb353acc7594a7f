// find_projected — ids of the given chunks that are in a projection, in order
// Params  $graph: STRING, $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING
// Access  read
CALL gds.degree.stream($graph, {concurrency: 1}) YIELD nodeId
WITH gds.util.asNode(nodeId) AS chunk
WHERE chunk:Chunk AND chunk.corpus = $corpus AND chunk.id IN $ids
RETURN chunk.id AS id
ORDER BY id
