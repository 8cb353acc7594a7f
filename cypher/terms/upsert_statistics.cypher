// upsert_statistics — write the numbers of a corpus that a search composed in the stores needs
// Params  $corpus: STRING, $chunks: INTEGER, $mean_terms: FLOAT, $similarity_scale: FLOAT,
//         $stem_languages: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
SET corpus.chunks = $chunks, corpus.mean_terms = $mean_terms, corpus.similarity_scale = $similarity_scale,
    corpus.stem_languages = CASE WHEN size($stem_languages) > 0 THEN $stem_languages END
