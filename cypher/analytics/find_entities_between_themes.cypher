// find_entities_between_themes — entities that few chunks name, and these in many themes
// Params  $corpus: STRING, $level: INTEGER = 1, $most: INTEGER = 10, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, themes: INTEGER, chunks: INTEGER, theme_names: LIST<STRING>
// Access  read
// Group   bridges
// Plan    NodeUniqueIndexSeek
MATCH (theme:Community)
WHERE theme.corpus = $corpus AND theme.id IS NOT NULL AND theme.level = $level
MATCH (theme)-[:CONTAINS*]->(chunk:Chunk)-[:MENTIONS|DESCRIBES]->(entity:Entity)
WITH entity, theme, count(DISTINCT chunk) AS here
ORDER BY here DESC, theme.id
WITH entity, count(theme) AS themes, sum(here) AS chunks, collect(theme.name) AS theme_names
WHERE themes > 1 AND chunks <= $most
RETURN entity.id AS id, entity.name AS name, themes AS themes, chunks AS chunks, theme_names AS theme_names
ORDER BY themes DESC, chunks, id
LIMIT $limit
