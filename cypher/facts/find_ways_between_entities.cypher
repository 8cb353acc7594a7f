// find_ways_between_entities — the shortest paths of facts between two entities, of the two smallest lengths
// Params  $corpus: STRING, $first: STRING, $second: STRING, $hops: INTEGER, $hub: INTEGER, $limit: INTEGER
// Returns hops: INTEGER, relations: LIST<STRING>, descriptions: LIST<STRING>, entities: LIST<STRING>,
//         names: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
MATCH (first:Entity {corpus: $corpus, id: $first})
MATCH (second:Entity {corpus: $corpus, id: $second})
MATCH SHORTEST 2 GROUPS
  (first)
  ((:Entity)-[:PARTICIPATES_IN]->(fact:Relation)<-[:PARTICIPATES_IN]-(via:Entity)
    WHERE via.id = $second OR COUNT { (via)-[:PARTICIPATES_IN]->() } <= $hub
  ){1,3}
  (second)
WITH first, second, fact AS facts, via[..-1] AS crossed
WHERE size(facts) <= $hops
  AND all(one IN facts WHERE 2 = COUNT {
        MATCH (part:Entity)-[:PARTICIPATES_IN]->(one) WHERE part IN crossed OR part IN [first, second]
      })
WITH facts, crossed, reduce(crowd = 0, one IN crossed | crowd + COUNT { (one)-[:PARTICIPATES_IN]->() }) AS crowd
RETURN size(facts) AS hops, [one IN facts | one.id] AS relations, [one IN facts | one.description] AS descriptions,
       [one IN crossed | one.id] AS entities, [one IN crossed | one.name] AS names
ORDER BY hops, crowd, relations, entities
LIMIT $limit
