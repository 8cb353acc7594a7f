// find_allowed — those of some chunks whose documents pass every filter
// Params  $corpus: STRING, $ids: LIST<STRING>, $filters: LIST<MAP>
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document)-[:HAS_CHUNK]->(chunk:Chunk {corpus: $corpus, id: wanted})
WITH chunk, document, CASE coalesce(document.source, '') WHEN '' THEN document.id ELSE document.source END AS file
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
RETURN chunk.id AS id
ORDER BY id
