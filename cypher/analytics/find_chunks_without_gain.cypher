// find_chunks_without_gain — chunks with no edge above redundant, the longest first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, tokens: INTEGER, edges: INTEGER, best: FLOAT
// Access  read
// Group   coverage
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL AND NOT EXISTS {
        (chunk)-[edge:INFO_GAIN]-() WHERE edge.level <> 'redundant'
      }
WITH chunk ORDER BY chunk.tokens DESC, chunk.id LIMIT $limit
OPTIONAL MATCH (chunk)-[edge:INFO_GAIN]-(:Chunk)
WITH chunk, count(edge) AS edges, max(edge.gain) AS best
RETURN chunk.id AS id, chunk.title AS title, chunk.tokens AS tokens, edges AS edges, coalesce(best, 0.0) AS best
ORDER BY tokens DESC, id
