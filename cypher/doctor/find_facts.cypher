// find_facts — a page of facts with what a vector is made of, in order of id, as columns
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns ids: LIST<STRING>, texts: LIST<STRING>, last: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id > $after
WITH relation ORDER BY relation.id LIMIT $limit
WITH collect(relation.id) AS ids, collect(relation.description) AS texts
WHERE size(ids) > 0
RETURN ids AS ids, texts AS texts, ids[-1] AS last
ORDER BY last
