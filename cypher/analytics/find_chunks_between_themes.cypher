// find_chunks_between_themes — chunks whose affinity goes to other themes, with the one it goes to
// Params  $corpus: STRING, $level: INTEGER = 1, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, theme: STRING, other: STRING, outside: FLOAT, affinity: FLOAT
// Access  read
// Group   bridges
// Plan    NodeUniqueIndexSeek
MATCH (home:Community)
WHERE home.corpus = $corpus AND home.id IS NOT NULL AND home.level = $level
MATCH (home)-[:CONTAINS*]->(chunk:Chunk)
// a clause of its own: in one pattern no relationship occurs twice, and chunks of a theme share those above it
MATCH (chunk)-[affinity:AFFINITY]-()<-[:CONTAINS*]-(other)
WHERE other.level = $level
WITH home, chunk, other, sum(affinity.weight) AS weight
ORDER BY weight DESC, other.id
WITH home, chunk, sum(weight) AS total, sum(CASE other WHEN home THEN 0.0 ELSE weight END) AS leaving,
     collect(CASE other WHEN home THEN null ELSE other.name END) AS others
WHERE leaving > 0
RETURN chunk.id AS id, chunk.title AS title, home.name AS theme, others[0] AS other, leaving / total AS outside,
       total AS affinity
ORDER BY outside DESC, affinity DESC, id
LIMIT $limit
