// find_titles — chunks in columns, with their titles and the entities that these name
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: LIST<STRING>, document_title: LIST<STRING>, title: LIST<STRING>, named_by_file: LIST<BOOLEAN>,
//         described: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (document:Document)-[:HAS_CHUNK]->(chunk:Chunk {corpus: $corpus, id: wanted})
CALL (chunk) {
  OPTIONAL MATCH (chunk)-[:DESCRIBES]->(entity:Entity)
  RETURN collect(entity.id) AS described
}
WITH document, chunk, reduce(joined = '', one IN described | joined + one + ' ') AS described
ORDER BY chunk.id
RETURN collect(chunk.id) AS id, collect(coalesce(document.title, '')) AS document_title,
       collect(coalesce(chunk.title, '')) AS title,
       collect(coalesce(document.named_by_file, false)) AS named_by_file, collect(described) AS described
