// find_conflicting_numbers — facts that differ in a number alone: type, participants and dates are the same
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns type: STRING, participants: LIST<STRING>, numbers: LIST<STRING>, descriptions: LIST<STRING>
// Access  read
// Group   contradictions
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
CALL (relation) {
  MATCH (relation)<-[part:PARTICIPATES_IN]-(entity:Entity)
  WITH part.role AS role, entity, entity.name =~ '.*[0-9].*' AND coalesce(entity.type, '') <> 'DATE' AS is_number
  ORDER BY role, entity.id
  RETURN collect(CASE WHEN is_number THEN entity.name END) AS numbers,
         collect(CASE WHEN NOT is_number THEN role + ' ' + entity.name END) AS participants
}
WITH relation, numbers, participants
WHERE size(numbers) > 0 AND size(participants) > 1 AND any(part IN participants WHERE part STARTS WITH 'subject ')
WITH relation, numbers, participants ORDER BY relation.id
WITH relation.type AS type, participants, collect(DISTINCT numbers) AS rivals,
     collect(relation.description) AS descriptions
WHERE size(rivals) > 1
RETURN type AS type, participants AS participants,
       reduce(all = [], numbers IN rivals | all + [one IN numbers WHERE NOT one IN all]) AS numbers,
       descriptions AS descriptions
ORDER BY size(participants) DESC, type, participants
LIMIT $limit
