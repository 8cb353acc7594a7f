// find_corpora — every corpus of the database with its size
// Params  none
// Returns name: STRING, created: STRING, embedder: STRING, dimension: INTEGER, generation: INTEGER,
//         documents: INTEGER, chunks: INTEGER, entities: INTEGER
// Access  read
// Allows  NodeByLabelScan
MATCH (corpus:Corpus)
RETURN corpus.name AS name, toString(corpus.created) AS created, corpus.embedder AS embedder,
       corpus.dimension AS dimension, corpus.generation AS generation,
       COUNT { MATCH (document:Document) WHERE document.corpus = corpus.name } AS documents,
       COUNT { MATCH (chunk:Chunk) WHERE chunk.corpus = corpus.name } AS chunks,
       COUNT { MATCH (entity:Entity) WHERE entity.corpus = corpus.name } AS entities
ORDER BY name
