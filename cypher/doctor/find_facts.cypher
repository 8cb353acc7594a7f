// find_facts — a page of facts that a chunk states, with the text of their vector, in order of id, as columns
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns ids: LIST<STRING>, texts: LIST<STRING>, last: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id > $after
  AND EXISTS { (relation)-[:STATED_IN]->() }
WITH relation ORDER BY relation.corpus, relation.id LIMIT $limit
WITH collect(relation.id) AS ids, collect(coalesce(relation.description, '')) AS texts
WHERE size(ids) > 0
RETURN ids AS ids, texts AS texts, ids[-1] AS last
ORDER BY last
