// find_unread_stretches — the longest stretches of chunks from which no fact was read
// Params  $corpus: STRING, $limit: INTEGER = 20
// Returns id: STRING, title: STRING, start: INTEGER, length: INTEGER, text: STRING
// Access  read
// Group   quality
// Plan    NodeUniqueIndexSeek
MATCH (chunk:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
OPTIONAL MATCH (chunk)<-[place:STATED_IN]-(:Relation)
WITH chunk, place ORDER BY place.start, place.end
WITH chunk, collect([place.start, place.end]) AS places
WITH chunk, reduce(
       seen = [0, 0, 0], place IN [one IN places WHERE one[0] IS NOT NULL] + [[size(chunk.text), size(chunk.text)]] |
       [CASE WHEN place[1] > seen[0] THEN place[1] ELSE seen[0] END,
        CASE WHEN place[0] - seen[0] > seen[2] THEN seen[0] ELSE seen[1] END,
        CASE WHEN place[0] - seen[0] > seen[2] THEN place[0] - seen[0] ELSE seen[2] END]) AS widest
WHERE widest[2] > 0
RETURN chunk.id AS id, chunk.title AS title, widest[1] AS start, widest[2] AS length,
       substring(chunk.text, widest[1], 200) AS text
ORDER BY length DESC, id
LIMIT $limit
