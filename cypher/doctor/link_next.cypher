// link_next — link the chunks of each document to the next one, where a link is missing
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (chunk:Chunk)<-[:HAS_CHUNK]-(document:Document)-[:HAS_CHUNK]->(next:Chunk)
WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL AND next.position = chunk.position + 1
  AND NOT EXISTS { (chunk)-[:NEXT]->() }
MERGE (chunk)-[link:NEXT]->(next)
SET link.position = next.position
