// find_steps — INFO_GAIN edges among some chunks, each with its share of all that leave its source
// Params  $corpus: STRING, $ids: LIST<STRING>, $candidates: LIST<STRING>, $weights: MAP
// Returns source: STRING, target: STRING, level: STRING, candidate: STRING, share: FLOAT
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS id
MATCH (source:Chunk {corpus: $corpus, id: id})-[edge:INFO_GAIN]->(target:Chunk)
WHERE edge.candidate IN $candidates AND $weights[edge.level] > 0
WITH source, sum($weights[edge.level]) AS total,
     collect({target: target.id, level: edge.level, candidate: edge.candidate}) AS edges
UNWIND edges AS edge
WITH source, total, edge WHERE edge.target IN $ids
RETURN source.id AS source, edge.target AS target, edge.level AS level, edge.candidate AS candidate,
       $weights[edge.level] / total AS share
ORDER BY source, target
