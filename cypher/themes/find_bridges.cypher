// find_bridges — pairs of chunks from two communities that hold these together, strongest affinity first
// Params  $corpus: STRING, $first: STRING, $second: STRING, $limit: INTEGER = 20
// Returns first: STRING, first_title: STRING, second: STRING, second_title: STRING, weight: FLOAT
// Access  read
// Group   bridges
// Plan    NodeUniqueIndexSeek
MATCH (:Community {corpus: $corpus, id: $first})-[:CONTAINS*]->(near:Chunk)-[affinity:AFFINITY]-(far:Chunk)
MATCH (far)<-[:CONTAINS*]-(:Community {corpus: $corpus, id: $second})
RETURN near.id AS first, near.title AS first_title, far.id AS second, far.title AS second_title,
       affinity.weight AS weight
ORDER BY weight DESC, first, second
LIMIT $limit
