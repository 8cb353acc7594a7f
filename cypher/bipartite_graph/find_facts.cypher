// find_facts — facts in columns, by id and by the chunks that state them, each with the first chunks that state it
// Params  $corpus: STRING, $ids: LIST<STRING>, $chunks: LIST<STRING>, $most: INTEGER
// Returns id: LIST<STRING>, confidence: LIST<FLOAT>, weight: LIST<INTEGER>, participants: LIST<INTEGER>,
//         chunks: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
CALL () {
  UNWIND $ids AS wanted
  MATCH (relation:Relation {corpus: $corpus, id: wanted})
  RETURN relation
  UNION
  UNWIND $chunks AS wanted
  MATCH (chunk:Chunk {corpus: $corpus, id: wanted})<-[:STATED_IN]-(relation:Relation)
  RETURN relation
}
CALL (relation) {
  MATCH (relation)-[:STATED_IN]->(chunk:Chunk)
  WITH chunk.id AS id ORDER BY id LIMIT $most
  RETURN collect(id) AS stating
}
WITH relation, reduce(joined = '', one IN stating | joined + one + ' ') AS chunks
ORDER BY relation.id
WITH collect(relation) AS relations, collect(chunks) AS chunks
RETURN [one IN relations | one.id] AS id, [one IN relations | one.confidence] AS confidence,
       [one IN relations | one.weight] AS weight,
       [one IN relations | COUNT { ()-[:PARTICIPATES_IN]->(one) }] AS participants, chunks AS chunks
