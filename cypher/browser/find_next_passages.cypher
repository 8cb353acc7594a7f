// find_next_passages — draws one passage, the entities that it mentions, and the passages that these are about
// Params  $corpus: STRING, $place: INTEGER, $limit: INTEGER
// Returns shown: PATH
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (start:Chunk)
WHERE start.corpus = $corpus AND start.id IS NOT NULL
WITH start, COUNT { (start)-[:MENTIONS]->(:Entity)<-[:DESCRIBES]-(:Chunk) } AS ways
ORDER BY ways DESC, start.id SKIP $place - 1 LIMIT 1
MATCH shown = (start)-[:MENTIONS]->(entity:Entity)<-[:DESCRIBES]-(next:Chunk)
RETURN shown AS shown
ORDER BY entity.id, next.id
LIMIT $limit
