// find_impossible_lives — who died before birth, or too many years after it
// Params  $corpus: STRING, $years: INTEGER = 110, $limit: INTEGER = 20
// Returns id: STRING, name: STRING, born: INTEGER, died: INTEGER, birth: STRING, death: STRING
// Access  read
// Group   contradictions
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL AND relation.type = 'born'
MATCH (birth:Entity)-[:PARTICIPATES_IN {role: 'time'}]->(relation)<-[:PARTICIPATES_IN {role: 'subject'}]-(entity:Entity)
MATCH (entity)-[:PARTICIPATES_IN {role: 'subject'}]->(end:Relation)<-[:PARTICIPATES_IN {role: 'time'}]-(death:Entity)
WHERE end.type = 'died'
WITH entity, relation, end,
     toInteger([word IN split(birth.name, ' ') WHERE word =~ '[12][0-9]{3}'][-1]) AS born,
     toInteger([word IN split(death.name, ' ') WHERE word =~ '[12][0-9]{3}'][-1]) AS died
WHERE died < born OR died - born > $years
RETURN entity.id AS id, entity.name AS name, born AS born, died AS died, relation.description AS birth,
       end.description AS death
ORDER BY abs(died - born) DESC, id, birth, death
LIMIT $limit
