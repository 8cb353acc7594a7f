// find_themes_sharing_entity — the communities whose chunks name an entity, in how many chunks and how often
// Params  $corpus: STRING, $name: STRING, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, level: INTEGER, size: INTEGER, chunks: INTEGER, times: INTEGER
// Access  read
// Group   bridges
// Plan    NodeIndexSeek
MATCH (:Entity {corpus: $corpus, name: $name})<-[named:MENTIONS|DESCRIBES]-(chunk:Chunk)<-[:CONTAINS*]-(theme:Community)
WITH theme, count(DISTINCT chunk) AS chunks, sum(coalesce(named.count, 1)) AS times
RETURN theme.id AS id, theme.name AS name, theme.level AS level, theme.size AS size, chunks AS chunks, times AS times
ORDER BY chunks DESC, times DESC, id
LIMIT $limit
