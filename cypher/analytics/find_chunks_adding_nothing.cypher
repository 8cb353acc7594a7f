// find_chunks_adding_nothing — chunks that add next to nothing to chunks near them that share an entity
// Params  $corpus: STRING, $edges: INTEGER = 3, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, edges: INTEGER, best: FLOAT, mean: FLOAT
// Access  read
// Group   redundancy
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
MATCH (chunk)<-[edge:INFO_GAIN]-(other:Chunk)
WHERE EXISTS { (chunk)-[:MENTIONS]->(:Entity)<-[:MENTIONS]-(other) }
WITH chunk, count(edge) AS edges, max(edge.gain) AS best, avg(edge.gain) AS mean,
     sum(CASE edge.level WHEN 'redundant' THEN 0 ELSE 1 END) AS adding
WHERE edges >= $edges AND adding = 0
RETURN chunk.id AS id, chunk.title AS title, edges AS edges, best AS best, mean AS mean
ORDER BY best, mean, id
LIMIT $limit
