// upsert_statistics — write the numbers of a corpus that a search composed in the stores needs
// Params  $corpus: STRING, $chunks: INTEGER, $mean_terms: FLOAT, $similarity_scale: FLOAT
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
SET corpus.chunks = $chunks, corpus.mean_terms = $mean_terms, corpus.similarity_scale = $similarity_scale
