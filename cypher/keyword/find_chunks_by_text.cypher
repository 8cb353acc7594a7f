// find_chunks_by_text — chunks that match a Lucene query, best BM25 score first; all, or some of the best of the index
// Params  $corpus: STRING, $query: STRING, $options: MAP, $filters: LIST<MAP>, $limit: INTEGER
// Returns id: STRING, score: FLOAT
// Access  read
// Plan    ProcedureCall, Top
CALL db.index.fulltext.queryNodes('chunk_text', $query, $options) YIELD node AS chunk, score
WHERE chunk.corpus = $corpus AND score > 0
  AND (size($filters) = 0 OR EXISTS {
    MATCH (document:Document)-[:HAS_CHUNK]->(chunk)
    WITH CASE coalesce(document.source, '') WHEN '' THEN document.id ELSE document.source END AS file, document
    WHERE all(filter IN $filters WHERE
      (filter.values IS NULL OR any(value IN [] + document[filter.key] WHERE value IN filter.values))
      AND (filter.without IS NULL
        OR none(value IN [] + coalesce(document[filter.key], []) WHERE value IN filter.without))
      AND (filter.patterns IS NULL OR any(pattern IN filter.patterns WHERE file =~ pattern))
      AND (filter.without_patterns IS NULL OR none(pattern IN filter.without_patterns WHERE file =~ pattern))
      AND (filter.hidden IS NULL OR filter.hidden[document.id] IS NULL)
      AND (filter.form IS NULL OR document[filter.key] =~ filter.form)
      AND (filter.gt IS NULL OR document[filter.key] > filter.gt)
      AND (filter.gte IS NULL OR document[filter.key] >= filter.gte)
      AND (filter.lt IS NULL OR document[filter.key] < filter.lt)
      AND (filter.lte IS NULL OR document[filter.key] <= filter.lte))
  })
RETURN chunk.id AS id, score AS score
ORDER BY score DESC, id
LIMIT $limit
