// delete_tree — the root of the encoding tree alone, so that nobody takes what is being written for a whole tree
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (tree:EncodingTree {corpus: $corpus, id: $corpus})
DETACH DELETE tree
