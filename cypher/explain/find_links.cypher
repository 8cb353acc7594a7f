// find_links — relationships by type and ids of both ends, with their properties and those of their ends
// Params  $corpus: STRING, $links: LIST<LIST>
// Returns type: STRING, start: MAP, properties: MAP, end: MAP
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $links AS link
CALL (link) {
  WITH link WHERE link[0] = 'CONTAINS'
  MATCH (a:Community {corpus: $corpus, id: link[1]})-[edge:CONTAINS]->(b:Chunk {corpus: $corpus, id: link[2]})
  RETURN a, edge, b
  UNION ALL
  WITH link WHERE link[0] = 'DESCRIBES'
  MATCH (a:Chunk {corpus: $corpus, id: link[1]})-[edge:DESCRIBES]->(b:Entity {corpus: $corpus, id: link[2]})
  RETURN a, edge, b
  UNION ALL
  WITH link WHERE link[0] = 'INFO_GAIN'
  MATCH (a:Chunk {corpus: $corpus, id: link[1]})-[edge:INFO_GAIN]->(b:Chunk {corpus: $corpus, id: link[2]})
  RETURN a, edge, b
  UNION ALL
  WITH link WHERE link[0] = 'MENTIONS'
  MATCH (a:Chunk {corpus: $corpus, id: link[1]})-[edge:MENTIONS]->(b:Entity {corpus: $corpus, id: link[2]})
  RETURN a, edge, b
  UNION ALL
  WITH link WHERE link[0] = 'PARTICIPATES_IN'
  MATCH (a:Entity {corpus: $corpus, id: link[1]})-[edge:PARTICIPATES_IN]->(b:Relation {corpus: $corpus, id: link[2]})
  RETURN a, edge, b
  UNION ALL
  WITH link WHERE link[0] = 'STATED_IN'
  MATCH (a:Relation {corpus: $corpus, id: link[1]})-[edge:STATED_IN]->(b:Chunk {corpus: $corpus, id: link[2]})
  RETURN a, edge, b
}
RETURN type(edge) AS type, properties(a) AS start, properties(edge) AS properties, properties(b) AS end
ORDER BY type, start.id, end.id
