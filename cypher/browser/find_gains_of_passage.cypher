// find_gains_of_passage — draws one passage, those that it leads to with something new, and where these lead
// Params  $corpus: STRING, $place: INTEGER, $limit: INTEGER
// Returns shown: PATH
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (start:Chunk)
WHERE start.corpus = $corpus AND start.id IS NOT NULL
WITH start, COUNT { (start)-[edge:INFO_GAIN]->() WHERE edge.level IN ['significant', 'novel'] } AS gains
ORDER BY gains DESC, start.id SKIP $place - 1 LIMIT 1
MATCH first = (start)-[edge:INFO_GAIN]->(next:Chunk)
WHERE edge.level <> 'redundant'
WITH start, first, edge, next ORDER BY edge.gain DESC, next.id LIMIT ($limit + 1) / 2
CALL (start, first, next) {
  RETURN first AS shown, 0 AS number
  UNION ALL
  MATCH shown = (next)-[onward:INFO_GAIN]->(last:Chunk)
  WHERE onward.level <> 'redundant' AND last <> start
  RETURN shown AS shown, 1 AS number ORDER BY onward.gain DESC, last.id LIMIT 2
}
RETURN shown AS shown
ORDER BY number, next.id, last(nodes(shown)).id
