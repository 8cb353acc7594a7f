// find_sample — for each of some beginnings of ids the first chunk from there on: chunks from everywhere in a corpus
// Params  $corpus: STRING, $beginnings: LIST<STRING>
// Returns id: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $beginnings AS beginning
CALL (beginning) {
  MATCH (chunk:Chunk)
  WHERE chunk.corpus = $corpus AND chunk.id >= beginning
  RETURN chunk.id AS id
  ORDER BY chunk.corpus, chunk.id // the order of the index: it ends at the first
  LIMIT 1
}
RETURN DISTINCT id AS id
ORDER BY id
