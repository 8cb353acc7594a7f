// find_members — some communities that have at most a number of chunks each, with these chunks
// Params  $corpus: STRING, $ids: LIST<STRING>, $most: INTEGER
// Returns id: STRING, chunks: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (community:Community {corpus: $corpus, id: wanted})
WHERE community.size <= $most
MATCH (community)-[:CONTAINS*]->(chunk:Chunk)
WITH community.id AS id, collect(chunk.id) AS held
RETURN id AS id, reduce(joined = '', one IN held | joined + one + ' ') AS chunks
ORDER BY id
