// find_near_duplicates — pairs of chunks that mean nearly the same, the most alike first
// Params  $corpus: STRING, $similarity: FLOAT = 0.9, $limit: INTEGER = 20
// Returns first: STRING, first_title: STRING, second: STRING, second_title: STRING, semantic: FLOAT,
//         added: FLOAT
// Access  read
// Group   redundancy
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
MATCH (chunk)-[affinity:AFFINITY]->(other:Chunk)
WHERE affinity.semantic >= $similarity
WITH chunk, other, affinity ORDER BY affinity.semantic DESC, chunk.id, other.id LIMIT $limit
OPTIONAL MATCH (chunk)-[edge:INFO_GAIN]-(other)
WITH chunk, other, affinity, max(edge.gain) AS added
RETURN chunk.id AS first, chunk.title AS first_title, other.id AS second, other.title AS second_title,
       affinity.semantic AS semantic, added AS added
ORDER BY semantic DESC, first, second
