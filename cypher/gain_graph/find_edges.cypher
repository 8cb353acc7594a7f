// find_edges — a page of chunks with the gain of each neighbour over them, in order of chunk id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns source: STRING, targets: LIST<STRING>, gains: LIST<FLOAT>, levels: LIST<STRING>, judges: LIST<STRING>,
//         candidates: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (source:Chunk)
WHERE source.corpus = $corpus AND source.id > $after
WITH source ORDER BY source.corpus, source.id LIMIT $limit
OPTIONAL MATCH (source)-[edge:INFO_GAIN]->(target:Chunk)
WITH source, edge, target ORDER BY source.id, target.id
RETURN source.id AS source, collect(target.id) AS targets, collect(edge.gain) AS gains, collect(edge.level) AS levels,
       collect(edge.judge) AS judges, collect(edge.candidate) AS candidates
ORDER BY source
