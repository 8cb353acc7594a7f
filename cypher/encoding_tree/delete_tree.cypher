// delete_tree — delete the root of the encoding tree; its communities stay
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (tree:EncodingTree {corpus: $corpus, id: $corpus})
DETACH DELETE tree
