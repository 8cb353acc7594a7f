// find_crossroads — lists the passages from which most others can be reached by an entity, with their place
// Params  $corpus: STRING, $limit: INTEGER
// Returns place: INTEGER, title: STRING, ways: INTEGER, to: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (start:Chunk)
WHERE start.corpus = $corpus AND start.id IS NOT NULL
WITH start, COUNT { (start)-[:MENTIONS]->(:Entity)<-[:DESCRIBES]-(:Chunk) } AS ways
ORDER BY ways DESC, start.id LIMIT $limit
WITH collect({start: start, ways: ways}) AS found
UNWIND range(0, size(found) - 1) AS number
WITH number, found[number].start AS start, found[number].ways AS ways
RETURN number + 1 AS place, start.title AS title, ways AS ways,
       COLLECT {
         MATCH (start)-[:MENTIONS]->(:Entity)<-[:DESCRIBES]-(next:Chunk)
         RETURN DISTINCT next.title ORDER BY next.title
       } AS to
ORDER BY place
