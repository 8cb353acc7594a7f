// find_coverage — what share of the chunks each part of the graphs reaches, the least first
// Params  $corpus: STRING
// Returns part: STRING, chunks: INTEGER, of: INTEGER, share: FLOAT
// Access  read
// Group   coverage
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
WITH count(chunk) AS of,
     sum(CASE WHEN EXISTS { (chunk)-[:MENTIONS|DESCRIBES]->() } THEN 1 ELSE 0 END) AS named,
     sum(CASE WHEN EXISTS { (chunk)-[edge:INFO_GAIN]-() WHERE edge.level <> 'redundant' } THEN 1 ELSE 0 END)
       AS gaining,
     sum(CASE WHEN EXISTS { (chunk)<-[:CONTAINS]-() } THEN 1 ELSE 0 END) AS themed,
     sum(CASE WHEN EXISTS { (chunk)<-[:STATED_IN]-() } THEN 1 ELSE 0 END) AS stating,
     sum(CASE WHEN EXISTS { (chunk)<-[:RETRIEVED]-() } THEN 1 ELSE 0 END) AS retrieved
UNWIND [['entities', named], ['gain above redundant', gaining], ['themes', themed], ['facts', stating],
        ['sessions', retrieved]] AS row
RETURN row[0] AS part, row[1] AS chunks, of AS of, CASE of WHEN 0 THEN 0.0 ELSE toFloat(row[1]) / of END AS share
ORDER BY share, part
