// find_chunks — a page of a corpus' chunks with their documents, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, document_id: STRING, title: STRING, document_title: STRING, text: STRING, position: INTEGER,
//         start: INTEGER, end: INTEGER, tokens: INTEGER, page: INTEGER, location: STRING, section: STRING,
//         document: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id > $after AND EXISTS { (chunk)<-[:HAS_CHUNK]-(:Document) }
WITH chunk ORDER BY chunk.corpus, chunk.id LIMIT $limit
MATCH (document:Document)-[:HAS_CHUNK]->(chunk)
RETURN chunk.id AS id, document.id AS document_id, chunk.title AS title, document.title AS document_title,
       chunk.text AS text, chunk.position AS position, chunk.start AS start, chunk.end AS end,
       chunk.tokens AS tokens, chunk.page AS page, chunk.location AS location,
       chunk.section AS section, properties(document) AS document
ORDER BY id
