// find_largest_themes — the communities that hold most chunks, of all levels, largest first
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, level: INTEGER, size: INTEGER, outside: FLOAT
// Access  read
// Group   coverage
// Plan    NodeUniqueIndexSeek
MATCH (theme:Community)
WHERE theme.corpus = $corpus AND theme.id IS NOT NULL
RETURN theme.id AS id, theme.name AS name, theme.level AS level, theme.size AS size,
       CASE theme.volume WHEN 0.0 THEN 0.0 ELSE theme.cut / theme.volume END AS outside
ORDER BY size DESC, id
LIMIT $limit
