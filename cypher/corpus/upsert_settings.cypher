// upsert_settings — write the settings of a corpus as JSON: of its documents, and of graphs without a root of their own
// Params  $corpus: STRING, $settings: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
SET corpus.settings = $settings
