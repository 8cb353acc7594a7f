// find_nodes — all nodes of the public schema with all properties, in order of label and id
// Params  $corpus: STRING
// Returns label: STRING, id: STRING, properties: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (node:Alias) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Alias' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Anchor) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Anchor' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:BipartiteGraph) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'BipartiteGraph' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Chunk) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Chunk' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Community) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Community' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Corpus) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Corpus' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Document) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Document' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:EncodingTree) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'EncodingTree' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Entity) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Entity' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Relation) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Relation' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Session) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Session' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Step) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Step' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
