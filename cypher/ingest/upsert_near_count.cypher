// upsert_near_count — write the number of chunks of a corpus that have a near copy
// Params  $corpus: STRING, $near_copies: INTEGER
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
SET corpus.near_copies = $near_copies
