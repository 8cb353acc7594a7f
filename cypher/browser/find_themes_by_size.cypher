// find_themes_by_size — lists the themes of all levels, largest first, with their place for the drawing
// Params  $corpus: STRING, $limit: INTEGER
// Returns place: INTEGER, name: STRING, level: INTEGER, passages: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (theme:Community)
WHERE theme.corpus = $corpus AND theme.id IS NOT NULL
WITH theme ORDER BY theme.size DESC, theme.id LIMIT $limit
WITH collect(theme) AS found
UNWIND range(0, size(found) - 1) AS number
RETURN number + 1 AS place, found[number].name AS name, found[number].level AS level, found[number].size AS passages
ORDER BY place
