// find_chunks — chunks in columns, with texts and entities
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: LIST<STRING>, document_id: LIST<STRING>, document_title: LIST<STRING>, file_name: LIST<STRING>,
//         title: LIST<STRING>, text: LIST<STRING>, terms: LIST<INTEGER>, mentioned: LIST<STRING>,
//         described: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document)-[:HAS_CHUNK]->(chunk:Chunk {corpus: $corpus, id: wanted})
CALL (chunk) {
  OPTIONAL MATCH (chunk)-[:MENTIONS]->(entity:Entity)
  RETURN collect(entity.id) AS mentioned
}
CALL (chunk) {
  OPTIONAL MATCH (chunk)-[:DESCRIBES]->(entity:Entity)
  RETURN collect(entity.id) AS described
}
WITH document, chunk,
     reduce(joined = '', one IN mentioned | joined + one + ' ') AS mentioned,
     reduce(joined = '', one IN described | joined + one + ' ') AS described
ORDER BY chunk.id
RETURN collect(chunk.id) AS id, collect(document.id) AS document_id,
       collect(coalesce(document.title, '')) AS document_title,
       collect(CASE WHEN document.named_by_file THEN document.title ELSE '' END) AS file_name,
       collect(coalesce(chunk.title, '')) AS title, collect(chunk.text) AS text, collect(coalesce(chunk.terms, 0)) AS terms,
       collect(mentioned) AS mentioned, collect(described) AS described
