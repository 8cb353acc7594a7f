// find_stated — facts that some chunks state, with their participants and the title of the first chunk that states each
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, type: STRING, title: STRING, participants: LIST<LIST>
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (:Chunk {corpus: $corpus, id: wanted})<-[:STATED_IN]-(relation:Relation)
WITH DISTINCT relation
CALL (relation) {
  MATCH (relation)-[:STATED_IN]->(chunk:Chunk)
  RETURN coalesce(chunk.title, '') AS title ORDER BY chunk.id LIMIT 1
}
RETURN relation.id AS id, relation.type AS type, title AS title,
       COLLECT {
         MATCH (entity:Entity)-[participation:PARTICIPATES_IN]->(relation)
         RETURN [entity.id, entity.name, entity.type, participation.role] AS one ORDER BY one[0]
       } AS participants
ORDER BY id
