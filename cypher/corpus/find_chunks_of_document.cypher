// find_chunks_of_document — chunks of one document in reading order, from a position on
// Params  $corpus: STRING, $document: STRING, $first: INTEGER, $limit: INTEGER
// Returns id: STRING, document_id: STRING, title: STRING, document_title: STRING, text: STRING, position: INTEGER,
//         start: INTEGER, end: INTEGER, tokens: INTEGER, page: INTEGER, location: STRING, section: STRING,
//         document: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document {corpus: $corpus, id: $document})-[:HAS_CHUNK]->(chunk:Chunk)
WHERE chunk.position >= $first
WITH document, chunk ORDER BY chunk.position, chunk.id LIMIT $limit
RETURN chunk.id AS id, document.id AS document_id, chunk.title AS title, document.title AS document_title,
       chunk.text AS text, chunk.position AS position, chunk.start AS start, chunk.end AS end,
       chunk.tokens AS tokens, chunk.page AS page, chunk.location AS location,
       chunk.section AS section, properties(document) AS document
ORDER BY position, id
