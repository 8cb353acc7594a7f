// find_affinities — a page of chunks with the parts of their affinity to chunks of higher id, in order of chunk id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns first: STRING, others: LIST<STRING>, semantic: LIST<FLOAT>, logical: LIST<FLOAT>, distance: LIST<FLOAT>,
//         weight: LIST<FLOAT>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (first:Chunk)
WHERE first.corpus = $corpus AND first.id > $after
WITH first ORDER BY first.corpus, first.id LIMIT $limit
OPTIONAL MATCH (first)-[affinity:AFFINITY]->(second:Chunk)
WITH first, affinity, second ORDER BY first.id, second.id
RETURN first.id AS first, collect(second.id) AS others, collect(affinity.semantic) AS semantic,
       collect(affinity.logical) AS logical, collect(affinity.distance) AS distance, collect(affinity.weight) AS weight
ORDER BY first
