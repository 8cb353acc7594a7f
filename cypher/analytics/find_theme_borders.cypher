// find_theme_borders — pairs of themes by the affinity between their chunks
// Params  $corpus: STRING, $level: INTEGER = 1, $limit: INTEGER = 20
// Returns first: STRING, first_name: STRING, second: STRING, second_name: STRING, affinity: FLOAT,
//         pairs: INTEGER, share: FLOAT
// Access  read
// Group   bridges
// Plan    NodeUniqueIndexSeek
MATCH (theme:Community)
WHERE theme.corpus = $corpus AND theme.id IS NOT NULL AND theme.level = $level
MATCH (theme)-[:CONTAINS*]->(:Chunk)-[affinity:AFFINITY]-()<-[:CONTAINS*]-(other)
WHERE other.level = $level AND theme.id < other.id
WITH theme, other, sum(affinity.weight) AS weight, count(affinity) AS pairs
RETURN theme.id AS first, theme.name AS first_name, other.id AS second, other.name AS second_name,
       weight AS affinity, pairs AS pairs,
       weight / CASE WHEN theme.volume < other.volume THEN theme.volume ELSE other.volume END AS share
ORDER BY affinity DESC, first, second
LIMIT $limit
