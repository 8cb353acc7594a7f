// find_communities — a page of communities with their parents and their chunks, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, name: STRING, level: INTEGER, size: INTEGER, volume: FLOAT, cut: FLOAT, entropy: FLOAT,
//         parents: LIST<STRING>, chunks: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (community:Community)
WHERE community.corpus = $corpus AND community.id > $after
WITH community ORDER BY community.corpus, community.id LIMIT $limit
RETURN community.id AS id, community.name AS name, community.level AS level, community.size AS size,
       community.volume AS volume, community.cut AS cut, community.entropy AS entropy,
       COLLECT { MATCH (parent:Community)-[:CONTAINS]->(community) RETURN parent.id ORDER BY parent.id } AS parents,
       COLLECT { MATCH (community)-[:CONTAINS]->(chunk:Chunk) RETURN chunk.id ORDER BY chunk.id } AS chunks
ORDER BY id
