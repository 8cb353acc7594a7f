// find_names — a page of entities with vectors, which are those in facts, in order of id, as columns
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER, $without: LIST<STRING>
// Returns ids: LIST<STRING>, texts: LIST<STRING>, last: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id > $after
  AND entity.confidence IS NOT NULL AND NOT entity.type IN $without
  AND EXISTS { (entity)-[:PARTICIPATES_IN]->() }
WITH entity ORDER BY entity.corpus, entity.id LIMIT $limit
WITH collect(entity.id) AS ids, collect(coalesce(entity.name, '')) AS texts
WHERE size(ids) > 0
RETURN ids AS ids, texts AS texts, ids[-1] AS last
ORDER BY last
