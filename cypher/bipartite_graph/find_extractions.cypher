// find_extractions — a page of the extractions of chunks, in order of chunk id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, extractor: STRING, facts: BYTES, titles: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (extraction:Extraction)
WHERE extraction.corpus = $corpus AND extraction.id > $after
WITH extraction ORDER BY extraction.corpus, extraction.id LIMIT $limit
RETURN extraction.id AS id, extraction.extractor AS extractor, extraction.facts AS facts,
       extraction.titles AS titles
ORDER BY id
