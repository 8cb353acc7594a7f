// find_participations — those of some facts in which some entities take part
// Params  $corpus: STRING, $ids: LIST<STRING>, $entities: LIST<STRING>
// Returns entity: STRING, relation: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (relation:Relation {corpus: $corpus, id: wanted})<-[:PARTICIPATES_IN]-(entity:Entity)
WHERE entity.id IN $entities
RETURN entity.id AS entity, relation.id AS relation
ORDER BY entity, relation
