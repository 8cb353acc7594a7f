// upsert_graph — write the root of the corpus' bipartite graph
// Params  $corpus: STRING, $properties: MAP
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Source  BiG-RAG, definition 1
MERGE (graph:BipartiteGraph {corpus: $corpus, id: $corpus})
SET graph += $properties
