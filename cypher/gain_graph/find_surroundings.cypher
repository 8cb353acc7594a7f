// find_surroundings — chunks with the INFO_GAIN edges among them, and the fields of a hit for those that are shown
// Params  $corpus: STRING, $ids: LIST<STRING>, $shown: LIST<STRING>, $candidates: LIST<STRING>, $weights: MAP
// Returns source: STRING, targets: LIST<STRING>, levels: LIST<STRING>, candidates: LIST<STRING>,
//         shares: LIST<FLOAT>, chunk: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS id
MATCH (source:Chunk {corpus: $corpus, id: id})
OPTIONAL MATCH (source)-[edge:INFO_GAIN]->(target:Chunk)
WHERE edge.candidate IN $candidates AND $weights[edge.level] > 0
WITH source, edge, target ORDER BY source.id, target.id
WITH source, sum($weights[edge.level]) AS total,
     collect({target: target.id, level: edge.level, candidate: edge.candidate}) AS edges
WITH source, total, [edge IN edges WHERE edge.target IN $ids] AS edges
RETURN source.id AS source, [edge IN edges | edge.target] AS targets, [edge IN edges | edge.level] AS levels,
       [edge IN edges | edge.candidate] AS candidates, [edge IN edges | $weights[edge.level] / total] AS shares,
       head(COLLECT {
         MATCH (document:Document)-[:HAS_CHUNK]->(source)
         WHERE source.id IN $shown
         RETURN {
           id: source.id, document_id: document.id, title: source.title, document_title: document.title,
           text: source.text, position: source.position, start: source.start, end: source.end,
           tokens: source.tokens, page: source.page, location: source.location, section: source.section,
           document: properties(document)
         }
       }) AS chunk
ORDER BY source
