// upsert_unfinished — mark the root of the encoding tree: what is below it is being written
// Params  $corpus: STRING, $settings: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MERGE (tree:EncodingTree {corpus: $corpus, id: $corpus})
SET tree.unfinished = true, tree.settings = $settings
