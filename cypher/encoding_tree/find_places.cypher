// find_places — the communities that hold some chunks, from the root down, each with those of the chunks that it holds
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, name: STRING, level: INTEGER, chunks: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (chunk:Chunk {corpus: $corpus, id: wanted})
MATCH (chunk)<-[:CONTAINS*]-(community:Community)
WITH community, collect(chunk.id) AS held
RETURN community.id AS id, community.name AS name, community.level AS level,
       reduce(joined = '', one IN held | joined + one + ' ') AS chunks
ORDER BY level, id
