// find_conflicting_values — subjects whose facts of a type disagree, where those of others agree
// Params  $corpus: STRING, $role: STRING = 'time', $support: INTEGER = 10, $limit: INTEGER = 20
// Returns subject: STRING, name: STRING, type: STRING, agreeing: FLOAT, values: LIST<STRING>,
//         descriptions: LIST<STRING>
// Access  read
// Group   contradictions
// Plan    NodeUniqueIndexSeek
MATCH (relation:Relation)
WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
MATCH (subject:Entity)-[:PARTICIPATES_IN {role: 'subject'}]->(relation)<-[:PARTICIPATES_IN {role: $role}]-(value:Entity)
WHERE $role <> 'time' OR value.name =~ '.*[0-9].*'
WITH subject, relation, value ORDER BY relation.id, value.name, value.id
WITH subject, relation, collect(value.name) AS values
WITH subject, relation.type AS type, collect({values: values, description: relation.description}) AS facts
WITH subject, type, facts,
     any(one IN facts WHERE any(other IN facts WHERE none(value IN one.values WHERE any(
       rival IN other.values WHERE value CONTAINS rival OR rival CONTAINS value)))) AS is_conflicting
WITH type, count(subject) AS subjects, sum(CASE WHEN is_conflicting THEN 1 ELSE 0 END) AS conflicting,
     collect(CASE WHEN is_conflicting THEN [subject, facts] END) AS cases
WHERE subjects >= $support
UNWIND cases AS case
WITH case[0] AS subject, type, 1 - toFloat(conflicting) / subjects AS agreeing, case[1] AS facts
RETURN subject.id AS subject, subject.name AS name, type AS type, agreeing AS agreeing,
       reduce(all = [], one IN facts | all + [value IN one.values WHERE NOT value IN all]) AS values,
       [one IN facts | one.description] AS descriptions
ORDER BY agreeing DESC, type, subject
LIMIT $limit
