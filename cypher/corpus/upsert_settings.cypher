// upsert_settings — what a corpus was made with, in JSON: of its documents, and of graphs that have no root of their own
// Params  $corpus: STRING, $settings: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
SET corpus.settings = $settings
