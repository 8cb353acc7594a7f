// find_communities — a page of non-empty communities of the encoding tree, in order of id, as a column
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns ids: LIST<STRING>, last: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (community:Community)
WHERE community.corpus = $corpus AND community.id > $after
  AND EXISTS { (community)-[:CONTAINS]->() }
WITH community ORDER BY community.corpus, community.id LIMIT $limit
WITH collect(community.id) AS ids
WHERE size(ids) > 0
RETURN ids AS ids, ids[-1] AS last
ORDER BY last
