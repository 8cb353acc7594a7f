// get_corpus — one corpus with the state of its ingest
// Params  $corpus: STRING
// Returns name: STRING, created: STRING, embedder: STRING, dimension: INTEGER, settings: STRING,
//         schema_version: INTEGER, generation: INTEGER, published: INTEGER, metadata_keys: LIST<STRING>,
//         graphs: LIST<STRING>, chunks: INTEGER, mean_terms: FLOAT, similarity_scale: FLOAT,
//         near_copies: INTEGER, stem_languages: LIST<STRING>, vector_set: INTEGER, must_rebuild: BOOLEAN
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
OPTIONAL MATCH (state:IngestState {corpus: $corpus, id: $corpus})
RETURN corpus.name AS name, toString(corpus.created) AS created, coalesce(state.embedder, corpus.embedder) AS embedder,
       corpus.dimension AS dimension, corpus.settings AS settings, corpus.schema_version AS schema_version,
       corpus.generation AS generation, coalesce(state.published, 0) AS published,
       coalesce(state.metadata_keys, []) AS metadata_keys, coalesce(state.graphs, []) AS graphs,
       corpus.chunks AS chunks, corpus.mean_terms AS mean_terms, corpus.similarity_scale AS similarity_scale,
       corpus.near_copies AS near_copies, coalesce(corpus.stem_languages, []) AS stem_languages,
       coalesce(state.vector_set, 1) AS vector_set, coalesce(state.rebuild, false) AS must_rebuild
