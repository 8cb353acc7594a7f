// find_details — facts with their texts, their participants, and the first places that state them
// Params  $corpus: STRING, $ids: LIST<STRING>, $most: INTEGER
// Returns id: STRING, description: STRING, type: STRING, participants: LIST<LIST>, statements: LIST<LIST>
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (relation:Relation {corpus: $corpus, id: wanted})
RETURN relation.id AS id, relation.description AS description, relation.type AS type,
       COLLECT {
         MATCH (entity:Entity)-[participation:PARTICIPATES_IN]->(relation)
         RETURN [entity.id, participation.role, entity.name, coalesce(entity.type, ''),
                 coalesce(entity.confidence, 0.0), COUNT { (entity)-[:PARTICIPATES_IN]->() }] AS one
         ORDER BY one[0]
       } AS participants,
       COLLECT {
         MATCH (relation)-[statement:STATED_IN]->(chunk:Chunk)
         RETURN [chunk.id, statement.start, statement.end] AS one ORDER BY one[0] LIMIT $most
       } AS statements
ORDER BY id
