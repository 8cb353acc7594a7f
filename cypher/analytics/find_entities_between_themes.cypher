// find_entities_between_themes — entities that few chunks name, and these in many themes
// Params  $corpus: STRING, $level: INTEGER = 1, $most: INTEGER = 10, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, themes: INTEGER, chunks: INTEGER, theme_names: LIST<STRING>
// Access  read
// Group   bridges
// Plan    NodeUniqueIndexSeek
MATCH (entity:Entity)
WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
  AND 2 <= COUNT { (entity)<-[:MENTIONS|DESCRIBES]-() } <= 2 * $most
CALL (entity) {
  MATCH (entity)<-[:MENTIONS|DESCRIBES]-(chunk:Chunk)<-[:CONTAINS*]-(theme)
  WHERE theme.level = $level
  WITH theme, count(DISTINCT chunk) AS here
  ORDER BY here DESC, theme.id
  RETURN count(theme) AS themes, sum(here) AS chunks, collect(theme.name) AS theme_names
}
WITH entity, themes, chunks, theme_names
WHERE themes > 1 AND chunks <= $most
RETURN entity.id AS id, entity.name AS name, themes AS themes, chunks AS chunks, theme_names AS theme_names
ORDER BY themes DESC, chunks, id
LIMIT $limit
