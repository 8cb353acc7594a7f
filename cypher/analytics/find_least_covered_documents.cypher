// find_least_covered_documents — the documents that entities, gain, themes and facts reach least
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, chunks: INTEGER, entities: FLOAT, gain: FLOAT, themes: FLOAT,
//         facts: FLOAT, covered: FLOAT
// Access  read
// Group   coverage
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
MATCH (document)-[:HAS_CHUNK]->(chunk:Chunk)
WITH document, count(chunk) AS chunks,
     avg(CASE WHEN EXISTS { (chunk)-[:MENTIONS|DESCRIBES]->() } THEN 1.0 ELSE 0.0 END) AS entities,
     avg(CASE WHEN EXISTS { (chunk)-[edge:INFO_GAIN]-() WHERE edge.level <> 'redundant' } THEN 1.0 ELSE 0.0 END)
       AS gain,
     avg(CASE WHEN EXISTS { (chunk)<-[:CONTAINS]-() } THEN 1.0 ELSE 0.0 END) AS themes,
     avg(CASE WHEN EXISTS { (chunk)<-[:STATED_IN]-() } THEN 1.0 ELSE 0.0 END) AS facts
RETURN document.id AS id, document.title AS title, chunks AS chunks, entities AS entities, gain AS gain,
       themes AS themes, facts AS facts, (entities + gain + themes + facts) / 4 AS covered
ORDER BY covered, chunks DESC, id
LIMIT $limit
