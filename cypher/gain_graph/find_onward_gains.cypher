// find_onward_gains — the INFO_GAIN edges that leave given chunks
// Params  $corpus: STRING, $ids: LIST<STRING>, $candidates: LIST<STRING>, $weights: MAP
// Returns source: STRING, targets: LIST<STRING>, levels: LIST<STRING>, candidates: LIST<STRING>, shares: LIST<FLOAT>
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS id
MATCH (source:Chunk {corpus: $corpus, id: id})-[edge:INFO_GAIN]->(target:Chunk)
WHERE edge.candidate IN $candidates AND $weights[edge.level] > 0
WITH source, edge, target ORDER BY source.id, target.id
WITH source, sum($weights[edge.level]) AS total,
     collect({target: target.id, level: edge.level, candidate: edge.candidate}) AS edges
RETURN source.id AS source, [edge IN edges | edge.target] AS targets, [edge IN edges | edge.level] AS levels,
       [edge IN edges | edge.candidate] AS candidates, [edge IN edges | $weights[edge.level] / total] AS shares
ORDER BY source
