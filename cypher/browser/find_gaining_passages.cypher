// find_gaining_passages — lists the passages that lead to most that is new, with their place
// Params  $corpus: STRING, $limit: INTEGER
// Returns place: INTEGER, title: STRING, edges: INTEGER, strongest: FLOAT, to: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (start:Chunk)
WHERE start.corpus = $corpus AND start.id IS NOT NULL
WITH start, COUNT { (start)-[edge:INFO_GAIN]->() WHERE edge.level IN ['significant', 'novel'] } AS gains
ORDER BY gains DESC, start.id LIMIT $limit
WITH collect({start: start, gains: gains}) AS found
UNWIND range(0, size(found) - 1) AS number
WITH number, found[number].start AS start, found[number].gains AS gains
WITH number, start, gains,
     head(COLLECT {
       MATCH (start)-[edge:INFO_GAIN]->(next:Chunk)
       RETURN {gain: edge.gain, title: next.title} ORDER BY edge.gain DESC, next.id LIMIT 1
     }) AS best
RETURN number + 1 AS place, start.title AS title, gains AS edges, best.gain AS strongest, best.title AS to
ORDER BY place
