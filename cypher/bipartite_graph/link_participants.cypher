// link_participants — link entities to the facts in which they take part, with their roles
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Source  BiG-RAG, algorithm 2
UNWIND $rows AS row
MATCH (relation:Relation {corpus: $corpus, id: row.id})
UNWIND row.participants AS participant
MATCH (entity:Entity {corpus: $corpus, id: participant[0]})
MERGE (entity)-[participation:PARTICIPATES_IN]->(relation)
SET participation.role = participant[1], participation.confidence = participant[2]
