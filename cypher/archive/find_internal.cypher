// find_internal — what a backup has beyond an export: files of documents, extractions, terms; by label and id
// Params  $corpus: STRING
// Returns label: STRING, id: STRING, properties: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (node:Document) WHERE node.corpus = $corpus AND node.id IS NOT NULL AND node.origin IS NOT NULL
RETURN 'Document' AS label, node.id AS id, {origin: node.origin} AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Extraction) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Extraction' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
UNION ALL
MATCH (node:Term) WHERE node.corpus = $corpus AND node.id IS NOT NULL
RETURN 'Term' AS label, node.id AS id, properties(node) AS properties
ORDER BY node.corpus, id
