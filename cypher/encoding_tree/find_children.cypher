// find_children — the communities directly below some communities, or below the root without any
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (tree:EncodingTree {corpus: $corpus, id: $corpus})
CALL (tree) {
  WITH tree WHERE size($ids) = 0
  MATCH (tree)-[:CONTAINS]->(child:Community)
  RETURN child
  UNION
  UNWIND $ids AS wanted
  MATCH (community:Community {corpus: $corpus, id: wanted})-[:CONTAINS]->(child:Community)
  RETURN child
}
RETURN child.id AS id
ORDER BY id
