// get_graph — the root of the corpus' bipartite graph; no row where there is none
// Params  $corpus: STRING
// Returns extractor: STRING, settings: STRING, relations: INTEGER, entities: INTEGER, merges: INTEGER,
//         unfinished: BOOLEAN
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (graph:BipartiteGraph {corpus: $corpus, id: $corpus})
RETURN graph.extractor AS extractor, graph.settings AS settings, graph.relations AS relations,
       graph.entities AS entities, graph.merges AS merges, coalesce(graph.unfinished, false) AS unfinished
