// find_copies — other chunks with the text of given ones whose documents pass every filter, in order of id
// Params  $corpus: STRING, $ids: LIST<STRING>, $filters: LIST<MAP>, $limit: INTEGER
// Returns copied: STRING, id: STRING, document_id: STRING, title: STRING, document_title: STRING, text: STRING,
//         position: INTEGER, start: INTEGER, end: INTEGER, tokens: INTEGER, page: INTEGER, location: STRING,
//         section: STRING, document: MAP
// Access  read
// Plan    NodeUniqueIndexSeek, NodeIndexSeek
UNWIND $ids AS wanted
MATCH (found:Chunk {corpus: $corpus, id: wanted})
CALL (found) {
  MATCH (chunk:Chunk)<-[:HAS_CHUNK]-(document:Document)
  USING INDEX SEEK chunk:Chunk(corpus, sha256)
  WHERE chunk.corpus = $corpus AND chunk.sha256 = found.sha256 AND chunk.id <> found.id
  WITH chunk, document, CASE coalesce(document.source, '') WHEN '' THEN document.id ELSE document.source END AS file
  WHERE all(filter IN $filters WHERE
      (filter.values IS NULL OR any(value IN [] + document[filter.key] WHERE value IN filter.values))
      AND (filter.without IS NULL
        OR none(value IN [] + coalesce(document[filter.key], []) WHERE value IN filter.without))
      AND (filter.patterns IS NULL OR any(pattern IN filter.patterns WHERE file =~ pattern))
      AND (filter.without_patterns IS NULL OR none(pattern IN filter.without_patterns WHERE file =~ pattern))
      AND (filter.hidden IS NULL OR filter.hidden[document.id] IS NULL)
      AND (filter.form IS NULL OR document[filter.key] =~ filter.form)
      AND (filter.gt IS NULL OR document[filter.key] > filter.gt)
      AND (filter.gte IS NULL OR document[filter.key] >= filter.gte)
      AND (filter.lt IS NULL OR document[filter.key] < filter.lt)
      AND (filter.lte IS NULL OR document[filter.key] <= filter.lte))
  RETURN chunk, document
  ORDER BY chunk.id
  LIMIT $limit
}
RETURN found.id AS copied, chunk.id AS id, document.id AS document_id, chunk.title AS title,
       document.title AS document_title, chunk.text AS text, chunk.position AS position, chunk.start AS start,
       chunk.end AS end, chunk.tokens AS tokens, chunk.page AS page, chunk.location AS location,
       chunk.section AS section, properties(document) AS document
ORDER BY copied, id
