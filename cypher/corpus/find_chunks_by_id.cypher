// find_chunks_by_id — chunks by id with their documents; unknown ids are left out
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, document_id: STRING, title: STRING, document_title: STRING, text: STRING, position: INTEGER,
//         start: INTEGER, end: INTEGER, tokens: INTEGER, page: INTEGER, location: STRING, section: STRING,
//         document: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document)-[:HAS_CHUNK]->(chunk:Chunk {corpus: $corpus, id: wanted})
RETURN chunk.id AS id, document.id AS document_id, chunk.title AS title, document.title AS document_title,
       chunk.text AS text, chunk.position AS position, chunk.start AS start, chunk.end AS end,
       chunk.tokens AS tokens, chunk.page AS page, chunk.location AS location,
       chunk.section AS section, properties(document) AS document
ORDER BY id
