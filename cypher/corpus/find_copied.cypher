// find_copied — chunks whose text another chunk of the corpus has, too, in order of id
// Params  $corpus: STRING
// Returns id: STRING
// Access  read
// Plan    NodeIndexSeek
MATCH (chunk:Chunk)
USING INDEX SEEK chunk:Chunk(corpus, sha256)
WHERE chunk.corpus = $corpus AND chunk.sha256 IS NOT NULL
WITH chunk.sha256 AS sha256, collect(chunk.id) AS ids
WHERE size(ids) > 1
UNWIND ids AS copied
RETURN copied AS id
ORDER BY id
