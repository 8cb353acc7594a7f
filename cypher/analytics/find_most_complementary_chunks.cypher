// find_most_complementary_chunks — the chunks that add most to others, redundant edges left out
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, adds_to: INTEGER, gain: FLOAT, novel: INTEGER
// Access  read
// Group   hubs
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
MATCH (chunk)<-[edge:INFO_GAIN]-(:Chunk)
WHERE edge.level <> 'redundant'
WITH chunk, count(edge) AS adds_to, sum(edge.gain) AS gain, sum(CASE edge.level WHEN 'novel' THEN 1 ELSE 0 END) AS novel
RETURN chunk.id AS id, chunk.title AS title, adds_to AS adds_to, gain AS gain, novel AS novel
ORDER BY gain DESC, adds_to DESC, id
LIMIT $limit
