// find_theme — draws the largest themes of the tree, and the central passages of one of them
// Params  $corpus: STRING, $place: INTEGER, $limit: INTEGER
// Returns shown: PATH
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (theme:Community)
WHERE theme.corpus = $corpus AND theme.id IS NOT NULL
WITH theme ORDER BY theme.size DESC, theme.id SKIP $place - 1 LIMIT 1
CALL (theme) {
  MATCH shown = (tree:EncodingTree {corpus: $corpus, id: $corpus})-[:CONTAINS]->(other:Community)
  RETURN shown AS shown, other.size AS weight, other.id AS id
  ORDER BY weight DESC, id LIMIT $limit
  UNION ALL
  MATCH shown = (:EncodingTree {corpus: $corpus, id: $corpus})-[:CONTAINS*]->(theme)-[:CONTAINS*]->(chunk:Chunk)
  RETURN shown AS shown, COUNT { (chunk)-[:AFFINITY]-() } AS weight, chunk.id AS id
  ORDER BY weight DESC, id LIMIT $limit
}
RETURN shown AS shown
ORDER BY length(shown), weight DESC, id
