// upsert_tree — write the root of the corpus' encoding tree, above its communities of level 1
// Params  $corpus: STRING, $properties: MAP
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Source  SeRAG (2026), eq. (1)
// Allows  Eager
MERGE (tree:EncodingTree {corpus: $corpus, id: $corpus})
SET tree += $properties
WITH tree
MATCH (community:Community)
WHERE community.corpus = $corpus AND community.id IS NOT NULL AND community.level = 1
MERGE (tree)-[:CONTAINS]->(community)
