// find_neighbouring_themes — the communities of the same level that a community has most affinity to
// Params  $corpus: STRING, $community: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, size: INTEGER, weight: FLOAT, pairs: INTEGER
// Access  read
// Group   bridges
// Plan    NodeUniqueIndexSeek
MATCH (theme:Community {corpus: $corpus, id: $community})-[:CONTAINS*]->(chunk:Chunk)
MATCH (chunk)-[affinity:AFFINITY]-(:Chunk)<-[:CONTAINS*]-(other:Community)
WHERE other.level = theme.level AND other <> theme
WITH other, sum(affinity.weight) AS weight, count(affinity) AS pairs
RETURN other.id AS id, other.name AS name, other.size AS size, weight AS weight, pairs AS pairs
ORDER BY weight DESC, id
LIMIT $limit
