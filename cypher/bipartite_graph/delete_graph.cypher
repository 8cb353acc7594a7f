// delete_graph — delete the root of the bipartite graph; its relations and entities stay
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (graph:BipartiteGraph {corpus: $corpus, id: $corpus})
DETACH DELETE graph
