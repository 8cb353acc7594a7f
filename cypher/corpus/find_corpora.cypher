// find_corpora — every corpus of the database with its size, and whether all of it is published
// Params  none
// Returns name: STRING, created: STRING, embedder: STRING, dimension: INTEGER, generation: INTEGER,
//         is_published: BOOLEAN, documents: INTEGER, chunks: INTEGER, entities: INTEGER
// Access  read
// Allows  NodeByLabelScan
MATCH (corpus:Corpus)
OPTIONAL MATCH (state:IngestState {corpus: corpus.name, id: corpus.name})
RETURN corpus.name AS name, toString(corpus.created) AS created, corpus.embedder AS embedder,
       corpus.dimension AS dimension, coalesce(state.published, 0) AS generation,
       coalesce(state.published > 0 AND corpus.generation = state.published, false) AS is_published,
       COUNT { MATCH (document:Document) WHERE document.corpus = corpus.name } AS documents,
       COUNT { MATCH (chunk:Chunk) WHERE chunk.corpus = corpus.name } AS chunks,
       COUNT { MATCH (entity:Entity) WHERE entity.corpus = corpus.name } AS entities
ORDER BY name
