// find_worded — chunks that match a Lucene query, best BM25 score first, of the best $most of the index
// Params  $corpus: STRING, $query: STRING, $most: INTEGER, $limit: INTEGER
// Returns id: STRING
// Access  read
// Plan    ProcedureCall
CALL db.index.fulltext.queryNodes('chunk_text', $query, {limit: $most}) YIELD node AS chunk, score
WHERE chunk.corpus = $corpus AND score > 0
WITH chunk.id AS id, score ORDER BY score DESC, id LIMIT $limit
RETURN id AS id
