// find_chunk_ids_by_filter — the chunks of all documents whose metadata pass every filter
// Params  $corpus: STRING, $filters: LIST<MAP>
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
  AND all(filter IN $filters WHERE
    (filter.values IS NULL OR document[filter.key] IN filter.values)
    AND (filter.gt IS NULL OR document[filter.key] > filter.gt)
    AND (filter.gte IS NULL OR document[filter.key] >= filter.gte)
    AND (filter.lt IS NULL OR document[filter.key] < filter.lt)
    AND (filter.lte IS NULL OR document[filter.key] <= filter.lte))
MATCH (document)-[:HAS_CHUNK]->(chunk:Chunk)
RETURN chunk.id AS id
ORDER BY id
