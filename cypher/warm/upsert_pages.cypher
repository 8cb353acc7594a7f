// upsert_pages — made-up chunks in a ring, for a server that practises its start
// Params  $corpus: STRING, $count: INTEGER
// Returns chunks: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek(Locking)
// Allows  Eager
UNWIND range(1, $count) AS number
MERGE (chunk:Chunk {corpus: $corpus, id: toString(number)})
SET chunk.title = 'Page ' + number, chunk.text = 'The text of page ' + number, chunk.position = number
MERGE (next:Chunk {corpus: $corpus, id: toString(number % $count + 1)})
MERGE (chunk)-[:NEXT]->(next)
RETURN count(*) AS chunks
