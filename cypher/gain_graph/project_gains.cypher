// project_gains — project the INFO_GAIN graph of a corpus into GDS, with edges weighted by level
// Params  $corpus: STRING, $graph: STRING, $candidates: LIST<STRING>, $weights: MAP
// Returns nodes: INTEGER, relationships: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (source:Chunk)
WHERE source.corpus = $corpus AND source.id >= ''
OPTIONAL MATCH (source)-[edge:INFO_GAIN]->(target:Chunk)
WHERE edge.candidate IN $candidates AND $weights[edge.level] > 0
// one thread, as the rows come from one: each reserves several MB of heap, however small the graph is
WITH gds.graph.project($graph, source, target, {relationshipProperties: {weight: $weights[edge.level]}},
                       {readConcurrency: 1}) AS projected
RETURN projected.nodeCount AS nodes, projected.relationshipCount AS relationships
