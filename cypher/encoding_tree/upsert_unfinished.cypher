// upsert_unfinished — mark the encoding tree as unfinished while it is written
// Params  $corpus: STRING, $settings: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MERGE (tree:EncodingTree {corpus: $corpus, id: $corpus})
SET tree.unfinished = true, tree.settings = $settings
