// find_central_chunks — chunks of a community, by how much of their affinity goes to others of it
// Params  $corpus: STRING, $community: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, inside: FLOAT, share: FLOAT
// Access  read
// Group   hubs
// Plan    NodeUniqueIndexSeek
MATCH (theme:Community {corpus: $corpus, id: $community})-[:CONTAINS*]->(chunk:Chunk)
OPTIONAL MATCH (chunk)-[affinity:AFFINITY]-(:Chunk)<-[:CONTAINS*]-(home:Community)
WHERE home.level = theme.level
WITH chunk, sum(affinity.weight) AS total, sum(CASE home WHEN theme THEN affinity.weight ELSE 0.0 END) AS inside
RETURN chunk.id AS id, chunk.title AS title, inside AS inside,
       CASE total WHEN 0 THEN 0.0 ELSE inside / total END AS share
ORDER BY inside DESC, share DESC, id
LIMIT $limit
